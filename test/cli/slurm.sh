#!/bin/bash
# A Slurm of one node on this machine, for slurm.slow.test.ts. Needs root, and Debian's slurmctld, slurmd, slurm-client and munge.
#
#   slurm.sh start FOLDER CONTROLLER_PORT NODE_PORT   writes FOLDER/slurm.conf, starts the daemons and waits until the node is idle
#   slurm.sh stop FOLDER                              ends the daemons that it started
#
# Everything is in FOLDER: nothing of a Slurm or Munge that is installed is read or changed. The daemons listen on 127.0.0.1 only.
set -eu
PATH="$PATH:/usr/sbin:/sbin"
folder=$2
export SLURM_CONF=$folder/slurm.conf

start() {
  mkdir -p "$folder/munge" "$folder/state" "$folder/spool"
  chmod 700 "$folder/munge"
  head -c 1024 /dev/urandom >"$folder/munge/key"
  chmod 600 "$folder/munge/key"
  # Munge refuses folders that others can write, such as /tmp, unless it is forced.
  munged --force --key-file="$folder/munge/key" --socket="$folder/munge/socket" --pid-file="$folder/munged.pid" \
    --log-file="$folder/munged.log" --seed-file="$folder/munge/seed"
  # Without cgroups, which a container often cannot make: processes of a job are found by their parents.
  cat >"$SLURM_CONF" <<CONF
ClusterName=test
SlurmctldHost=$(hostname -s)(127.0.0.1)
SlurmctldPort=$1
SlurmdPort=$2
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket=$folder/munge/socket
CredType=cred/munge
CommunicationParameters=NoInAddrAny,NoCtldInAddrAny
StateSaveLocation=$folder/state
SlurmdSpoolDir=$folder/spool
SlurmctldPidFile=$folder/slurmctld.pid
SlurmdPidFile=$folder/slurmd.pid
SlurmctldLogFile=$folder/slurmctld.log
SlurmdLogFile=$folder/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SlurmdParameters=config_overrides
ReturnToService=2
NodeName=node NodeHostname=$(hostname -s) NodeAddr=127.0.0.1 CPUs=2 RealMemory=16384 State=UNKNOWN
PartitionName=main Nodes=node Default=YES MaxTime=INFINITE State=UP
CONF
  slurmctld -i -f "$SLURM_CONF"
  slurmd -N node -f "$SLURM_CONF"
  for _ in $(seq 150); do
    [ "$(sinfo --noheader --format=%T 2>/dev/null)" = idle ] && return
    sleep 0.2
  done
  echo "the node is not idle: $(sinfo --noheader --format='%T %E' 2>&1)" >&2
  tail -n 20 "$folder"/*.log >&2
  exit 1
}

stop() {
  scancel --user=root 2>/dev/null || true # the jobs of this Slurm alone
  for name in slurmd slurmctld; do
    [ -e "$folder/$name.pid" ] && kill "$(cat "$folder/$name.pid")" 2>/dev/null || true
  done
  munged --stop --socket="$folder/munge/socket" 2>/dev/null || true
}

case $1 in
start) start "$3" "$4" ;;
stop) stop ;;
esac
