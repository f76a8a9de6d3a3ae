/** Packages that a program may import in addition to the standard library. */

/**
 * Import names of PyPI packages that generated programs are known to use. If a program fails without one of these, it is not
 * known to be wrong. If it imports a name that is neither here nor in its problem, it is wrong.
 */
export const KNOWN_PACKAGES: ReadonlySet<string> = new Set(
  `
  Bio Crypto Levenshtein OpenSSL PIL absl aiohttp altair anthropic arrow astropy attr attrs bcrypt blake3 bokeh boto3 botocore bs4
  cachetools certifi chardet charset_normalizer click colorama cryptography cupy cv2 cvxpy cython dash dask dateutil django docx
  dotenv einops emoji faker fastapi fitz flask flask_login flask_mail flask_restful flask_sqlalchemy flask_wtf folium fuzzywuzzy
  gensim geopandas geopy gmpy2 google gym gymnasium h5py holidays httpx huggingface_hub hypothesis imageio imblearn jax jinja2 joblib
  jsonschema jwt keras kiwisolver librosa lightgbm lxml markdown matplotlib mechanize mido mpl_toolkits mpmath multidict mxnet mypy
  natsort networkx nltk nose numba numexpr numpy openai openpyxl orjson ortools packaging pandas paramiko passlib patsy peewee pexpect
  pkg_resources playwright plotly polars prettytable psutil psycopg2 pyarrow pydantic pygame pygments pymongo pymysql pyparsing
  pyperclip pyqrcode pyspark pytesseract pytest python_http_client pytz pywt qrcode rapidfuzz redis regex requests requests_mock rich rsa
  scipy scrapy seaborn selenium sendgrid sentence_transformers setuptools shap shapely simplejson six skimage sklearn skopt
  sortedcontainers soundfile spacy sqlalchemy starlette statsmodels sympy tables tabulate tensorflow tensorflow_datasets termcolor
  textblob texttable tiktoken timm toml toolz torch torchaudio torchvision tornado tqdm transformers tweepy typing_extensions tzlocal
  ujson unidecode urllib3 uvicorn vaderSentiment wcwidth websocket websockets werkzeug wikipedia wordcloud wordninja xarray xgboost
  xlrd xlsxwriter xlwt xmltodict yaml yfinance zmq
  `
    .trim()
    .split(/\s+/),
);
