/** The standard library of Python 3.11: `sys.stdlib_module_names`, and the contents of some modules. */

const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

export const STANDARD_MODULES = words(`
  __future__ _abc _aix_support _ast _asyncio _bisect _blake2 _bootsubprocess _bz2 _codecs _codecs_cn _codecs_hk
  _codecs_iso2022 _codecs_jp _codecs_kr _codecs_tw _collections _collections_abc _compat_pickle _compression
  _contextvars _crypt _csv _ctypes _curses _curses_panel _datetime _dbm _decimal _elementtree _frozen_importlib
  _frozen_importlib_external _functools _gdbm _hashlib _heapq _imp _io _json _locale _lsprof _lzma _markupbase _md5 _msi
  _multibytecodec _multiprocessing _opcode _operator _osx_support _overlapped _pickle _posixshmem _posixsubprocess
  _py_abc _pydecimal _pyio _queue _random _scproxy _sha1 _sha256 _sha3 _sha512 _signal _sitebuiltins _socket _sqlite3
  _sre _ssl _stat _statistics _string _strptime _struct _symtable _thread _threading_local _tkinter _tokenize
  _tracemalloc _typing _uuid _warnings _weakref _weakrefset _winapi _zoneinfo abc aifc antigravity argparse array ast
  asynchat asyncio asyncore atexit audioop base64 bdb binascii bisect builtins bz2 cProfile calendar cgi cgitb chunk
  cmath cmd code codecs codeop collections colorsys compileall concurrent configparser contextlib contextvars copy
  copyreg crypt csv ctypes curses dataclasses datetime dbm decimal difflib dis distutils doctest email encodings
  ensurepip enum errno faulthandler fcntl filecmp fileinput fnmatch fractions ftplib functools gc genericpath getopt
  getpass gettext glob graphlib grp gzip hashlib heapq hmac html http idlelib imaplib imghdr imp importlib inspect io
  ipaddress itertools json keyword lib2to3 linecache locale logging lzma mailbox mailcap marshal math mimetypes mmap
  modulefinder msilib msvcrt multiprocessing netrc nis nntplib nt ntpath nturl2path numbers opcode operator optparse os
  ossaudiodev pathlib pdb pickle pickletools pipes pkgutil platform plistlib poplib posix posixpath pprint profile
  pstats pty pwd py_compile pyclbr pydoc pydoc_data pyexpat queue quopri random re readline reprlib resource rlcompleter
  runpy sched secrets select selectors shelve shlex shutil signal site smtpd smtplib sndhdr socket socketserver spwd
  sqlite3 sre_compile sre_constants sre_parse ssl stat statistics string stringprep struct subprocess sunau symtable sys
  sysconfig syslog tabnanny tarfile telnetlib tempfile termios textwrap this threading time timeit tkinter token
  tokenize tomllib trace traceback tracemalloc tty turtle turtledemo types typing unicodedata unittest urllib uu uuid
  venv warnings wave weakref webbrowser winreg winsound wsgiref xdrlib xml xmlrpc zipapp zipfile zipimport zlib zoneinfo
`);

/** The names that `from MODULE import *` binds, for the modules that programs import this way (Python 3.11). */
export const WILDCARDS: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries({
    bisect: words(`
      bisect bisect_left bisect_right insort insort_left insort_right
    `),
    collections: words(`
      ChainMap Counter OrderedDict UserDict UserList UserString defaultdict deque namedtuple
    `),
    functools: words(`
      WRAPPER_ASSIGNMENTS WRAPPER_UPDATES cache cached_property cmp_to_key lru_cache partial partialmethod reduce
      singledispatch singledispatchmethod total_ordering update_wrapper wraps
    `),
    heapq: words(`
      heapify heappop heappush heappushpop heapreplace merge nlargest nsmallest
    `),
    itertools: words(`
      accumulate chain combinations combinations_with_replacement compress count cycle dropwhile filterfalse
      groupby islice pairwise permutations product repeat starmap takewhile tee zip_longest
    `),
    math: words(`
      acos acosh asin asinh atan atan2 atanh cbrt ceil comb copysign cos cosh degrees dist e erf erfc exp exp2
      expm1 fabs factorial floor fmod frexp fsum gamma gcd hypot inf isclose isfinite isinf isnan isqrt lcm ldexp
      lgamma log log10 log1p log2 modf nan nextafter perm pi pow prod radians remainder sin sinh sqrt tan tanh tau
      trunc ulp
    `),
    operator: words(`
      abs add and_ attrgetter call concat contains countOf delitem eq floordiv ge getitem gt iadd iand iconcat
      ifloordiv ilshift imatmul imod imul index indexOf inv invert ior ipow irshift is_ is_not isub itemgetter
      itruediv ixor le length_hint lshift lt matmul methodcaller mod mul ne neg not_ or_ pos pow rshift setitem
      sub truediv truth xor
    `),
    string: words(`
      Formatter Template ascii_letters ascii_lowercase ascii_uppercase capwords digits hexdigits octdigits
      printable punctuation whitespace
    `),
    typing: words(`
      AbstractSet Annotated Any AnyStr AsyncContextManager AsyncGenerator AsyncIterable AsyncIterator Awaitable
      BinaryIO ByteString Callable ChainMap ClassVar Collection Concatenate Container ContextManager Coroutine
      Counter DefaultDict Deque Dict Final ForwardRef FrozenSet Generator Generic Hashable IO ItemsView Iterable
      Iterator KeysView List Literal LiteralString Mapping MappingView Match MutableMapping MutableSequence
      MutableSet NamedTuple Never NewType NoReturn NotRequired Optional OrderedDict ParamSpec ParamSpecArgs
      ParamSpecKwargs Pattern Protocol Required Reversible Self Sequence Set Sized SupportsAbs SupportsBytes
      SupportsComplex SupportsFloat SupportsIndex SupportsInt SupportsRound TYPE_CHECKING Text TextIO Tuple Type
      TypeAlias TypeGuard TypeVar TypeVarTuple TypedDict Union Unpack ValuesView assert_never assert_type cast
      clear_overloads dataclass_transform final get_args get_origin get_overloads get_type_hints is_typeddict
      no_type_check no_type_check_decorator overload reveal_type runtime_checkable
    `),
  }),
);

/**
 * Names that judges of interview problems (LeetCode) import before a `class Solution`: the modules above and a few more, all
 * names in those above, and the node classes.
 */
export const JUDGE_NAMES: ReadonlySet<string> = new Set([
  ...WILDCARDS.keys(),
  ...[...WILDCARDS.values()].flatMap((names) => [...names]),
  ...words(`ListNode Node TreeNode batched copy datetime random re sys`),
]);
