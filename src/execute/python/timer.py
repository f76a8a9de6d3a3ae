"""The clock of a thread, and a repeated SIGVTALRM by CPU time. WebAssembly has no timers: there guard.mjs sends it while a program runs."""
import signal

try:
    from time import thread_time
except ImportError:  # in WebAssembly, which has one thread
    from time import process_time as thread_time  # noqa: F401


def set_timer(seconds):
    """Sends the signal after this many seconds of CPU time, and again after each further interval of this length. 0 stops it."""
    if hasattr(signal, "setitimer"):
        signal.setitimer(signal.ITIMER_VIRTUAL, seconds, seconds)
