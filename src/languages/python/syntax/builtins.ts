/** Python 3.11's built-in names (`dir(builtins)` and a module's own names), and the side effects of its built-in functions. */

const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

export const BUILTINS = words(`
  ArithmeticError AssertionError AttributeError BaseException BaseExceptionGroup BlockingIOError BrokenPipeError
  BufferError BytesWarning ChildProcessError ConnectionAbortedError ConnectionError ConnectionRefusedError
  ConnectionResetError DeprecationWarning EOFError Ellipsis EncodingWarning EnvironmentError Exception ExceptionGroup
  False FileExistsError FileNotFoundError FloatingPointError FutureWarning GeneratorExit IOError ImportError
  ImportWarning IndentationError IndexError InterruptedError IsADirectoryError KeyError KeyboardInterrupt LookupError
  MemoryError ModuleNotFoundError NameError None NotADirectoryError NotImplemented NotImplementedError OSError
  OverflowError PendingDeprecationWarning PermissionError ProcessLookupError RecursionError ReferenceError
  ResourceWarning RuntimeError RuntimeWarning StopAsyncIteration StopIteration SyntaxError SyntaxWarning SystemError
  SystemExit TabError TimeoutError True TypeError UnboundLocalError UnicodeDecodeError UnicodeEncodeError UnicodeError
  UnicodeTranslateError UnicodeWarning UserWarning ValueError Warning ZeroDivisionError __annotations__ __build_class__
  __builtins__ __debug__ __doc__ __file__ __import__ __loader__ __name__ __package__ __path__ __spec__ abs aiter all
  anext any ascii bin bool breakpoint bytearray bytes callable chr classmethod compile complex copyright credits delattr
  dict dir divmod enumerate eval exec exit filter float format frozenset getattr globals hasattr hash help hex id input
  int isinstance issubclass iter len license list locals map max memoryview min next object oct open ord pow print
  property quit range repr reversed round set setattr slice sorted staticmethod str sum super tuple type vars zip
`);

/** Functions that change nothing if their arguments are built-in values. */
export const STEADY_FUNCTIONS = words(`
  abs ascii bin bool callable chr divmod float hash hex int isinstance issubclass len oct ord pow range repr round str type
`);

/** Functions that change nothing except an iterator argument, which they consume. */
export const CONSUMING_FUNCTIONS = words("all any dict frozenset list max min set sorted sum tuple");

/** Functions that return an iterator. It consumes their arguments later. */
export const LAZY_FUNCTIONS = words("enumerate filter map reversed zip");
