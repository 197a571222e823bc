//! Python's own modules: `sys.stdlib_module_names` of Python 3.11, what came up to 3.15, and what Python 2 and earlier 3 had.

pub fn is_standard(module: &str) -> bool {
    STANDARD.split_whitespace().any(|known| known == module)
}

const STANDARD: &str =
    "BaseHTTPServer CGIHTTPServer ConfigParser Cookie DocXMLRPCServer HTMLParser MimeWriter Queue ScrolledText
    SimpleHTTPServer SimpleXMLRPCServer SocketServer StringIO Tix Tkinter UserDict UserList UserString __builtin__
    __future__ __main__ _abc _aix_support _android_support _apple_support _ast _asyncio _bisect _blake2
    _bootsubprocess _bz2 _codecs _codecs_cn _codecs_hk _codecs_iso2022 _codecs_jp _codecs_kr _codecs_tw _collections
    _collections_abc _colorize _compat_pickle _compression _contextvars _crypt _csv _ctypes _curses _curses_panel
    _datetime _dbm _decimal _elementtree _frozen_importlib _frozen_importlib_external _functools _gdbm _hacl_blake2
    _hashlib _heapq _imp _interpchannels _interpqueues _interpreters _io _ios_support _json _locale _lsprof _lzma
    _markupbase _md5 _msi _multibytecodec _multiprocessing _opcode _opcode_metadata _operator _osx_support
    _overlapped _pickle _posixshmem _posixsubprocess _py_abc _pydecimal _pyio _pylong _pyrepl _queue _random
    _remote_debugging _scproxy _sha1 _sha2 _sha256 _sha3 _sha512 _signal _sitebuiltins _socket _sqlite3 _sre _ssl
    _stat _statistics _string _strptime _struct _suggestions _symtable _sysconfig _thread _threading_local _tkinter
    _tokenize _tracemalloc _typeshed _typing _uuid _warnings _weakref _weakrefset _winapi _winreg _zoneinfo _zstd abc
    aifc annotationlib antigravity anydbm argparse array ast asynchat asyncio asyncore atexit audioop base64 bdb
    binascii binhex bisect bsddb builtins bz2 cPickle cProfile cStringIO calendar cgi cgitb chunk cmath cmd code
    codecs codeop collections colorsys commands compileall compression concurrent configparser contextlib contextvars
    cookielib copy copy_reg copyreg crypt csv ctypes curses dataclasses datetime dbhash dbm decimal difflib dis
    distutils doctest dumbdbm dummy_thread dummy_threading email encodings ensurepip enum errno exceptions
    faulthandler fcntl filecmp fileinput fnmatch formatter fpformat fractions ftplib functools future_builtins gc
    gdbm genericpath getopt getpass gettext glob graphlib grp gzip hashlib heapq hmac hotshot html htmlentitydefs
    htmllib http httplib idlelib ihooks imaplib imghdr imp importlib imputil inspect io ipaddress itertools json
    keyword lib2to3 linecache locale logging lzma macpath mailbox mailcap marshal math md5 mhlib mimetools mimetypes
    mimify mmap modulefinder msilib msvcrt multifile multiprocessing mutex netrc new nis nntplib nt ntpath nturl2path
    numbers opcode operator optparse os ossaudiodev parser pathlib pdb pickle pickletools pipes pkgutil platform
    plistlib popen2 poplib posix posixfile posixpath pprint profile profiling pstats pty pwd py_compile pyclbr pydoc
    pydoc_data pyexpat queue quopri random re readline repr reprlib resource rexec rfc822 rlcompleter robotparser
    runpy sched secrets select selectors sets sgmllib sha shelve shlex shutil signal site smtpd smtplib sndhdr socket
    socketserver spwd sqlite3 sre sre_compile sre_constants sre_parse ssl stat statistics statvfs string stringold
    stringprep struct subprocess sunau symbol symtable sys sysconfig syslog tabnanny tarfile telnetlib tempfile
    termios test textwrap this thread threading time timeit tkFileDialog tkFont tkMessageBox tkinter token tokenize
    tomllib trace traceback tracemalloc ttk tty turtle turtledemo types typing unicodedata unittest urllib urllib2
    urlparse user uu uuid venv warnings wave weakref webbrowser whichdb winreg winsound wsgiref xdrlib xml xmlrpc
    xmlrpclib zipapp zipfile zipimport zlib zoneinfo";

#[cfg(test)]
mod tests {
    use super::is_standard;

    #[test]
    fn modules() {
        for module in ["os", "tomllib", "__future__", "urllib2", "annotationlib", "zoneinfo"] {
            assert!(is_standard(module), "{module}");
        }
        assert!(!is_standard("requests") && !is_standard(""));
    }
}
