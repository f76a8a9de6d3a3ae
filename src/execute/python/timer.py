"""The clock of a thread, and SIGVTALRM again and again, by CPU time. In WebAssembly, which has no timers, guard.mjs sends it while a program runs."""
import signal

try:
    from time import thread_time
except ImportError:  # in WebAssembly, which has one thread
    from time import process_time as thread_time  # noqa: F401


def set_timer(seconds):
    """Fires after so many seconds of CPU time, and after each as many more; 0: no more."""
    if hasattr(signal, "setitimer"):
        signal.setitimer(signal.ITIMER_VIRTUAL, seconds, seconds)
