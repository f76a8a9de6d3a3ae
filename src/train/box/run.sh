#!/bin/sh
# usage: sh run.sh [check|smoke|bench|train|collect]      without an argument: all of them
# Needs Linux with glibc 2.34 or later and libstdc++, and a GPU with its Vulkan driver. README.txt in this folder says more.
case $0 in
  */*) here=${0%/*} ;;
  *) here=. ;;
esac
here=$(cd "$here" && pwd) || exit 1

if ! said=$("$here/node" --version 2>&1); then
  echo "failed: the Node of this pack does not start here: $said"
  echo "It needs this processor's Linux with glibc 2.34 or later and libstdc++ (Ubuntu 22.04, Debian 12, RHEL 9), and a disk"
  echo "from which programs may run (not mounted noexec)."
  exit 1
fi

# If the system has no loader of Vulkan drivers, use the pack's.
if [ -e "$here/lib/libvulkan.so.1" ]; then
  "$here/node" -e '
    try { process.dlopen({ exports: {} }, "libvulkan.so.1"); }
    catch (error) { if (/cannot open shared object/.test(error.message)) process.exit(1); }
  ' || {
    LD_LIBRARY_PATH="$here/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
    export LD_LIBRARY_PATH
  }
fi

exec "$here/node" "$here/run.mjs" "$@"
