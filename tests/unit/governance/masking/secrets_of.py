"""Secrets of every shape that is known, drawn by chance: none is written here."""

from __future__ import annotations

import string

from hypothesis import strategies as st

LETTERS = string.ascii_letters + string.digits
HEX = "0123456789abcdef"


def drawn(length: int, letters: str = LETTERS) -> st.SearchStrategy[str]:
    """Give a drawn word with a digit and letters of both sizes in it."""
    return st.text(letters, min_size=length, max_size=length).map(lambda text: "7Kq" + text)


def _behind(mark: str, length: int, letters: str = LETTERS) -> st.SearchStrategy[str]:
    return st.text(letters, min_size=length, max_size=length).map(lambda text: mark + "7" + text)


JWT = st.tuples(drawn(12), drawn(20), drawn(20)).map(lambda parts: "ey" + "J" + ".".join(parts))
PEM = st.tuples(st.sampled_from(["", "RSA ", "EC ", "OPENSSH ", "ENCRYPTED "]), st.lists(drawn(60), min_size=1)).map(
    lambda found: "\n".join(
        [f"-----BEGIN {found[0]}PRIVATE KEY-----", *found[1], f"-----END {found[0]}PRIVATE KEY-----"]
    )
)
KEYS = st.one_of(
    *(_behind(mark, 40) for mark in ("sk-", "sk-proj-", "sk-ant-api03-", "sk-or-v1-", "sk_live_", "rk_test_", "pk_")),
    *(_behind(mark, 16, string.ascii_uppercase + string.digits) for mark in ("AKIA", "ASIA")),
    *(_behind(mark, 36) for mark in ("ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_", "npm_", "hf_", "gsk_")),
    *(
        _behind(mark, 24)
        for mark in ("glpat-", "gldt-", "xoxb-", "xoxp-", "xapp-", "whsec_", "GOCSPX-", "ya29.", "hvs.")
    ),
    *(
        _behind(mark, 35)
        for mark in ("AIza", "lin_api_", "ntn_", "r8_", "ATATT3", "xai-K", "pplx-K", "pypi-AgEIcHlwaS5vcmc")
    ),
    *(_behind(mark, 40, HEX) for mark in ("dapi", "shpat_", "dop_v1_")),
    _behind("https://hooks.slack.com/services/", 40),
    _behind("AGE-SECRET-KEY-", 40, string.ascii_uppercase + string.digits),
    st.tuples(drawn(20), drawn(40)).map(lambda parts: "SG." + ".".join(parts)),
    st.text(HEX, min_size=32, max_size=32).map(lambda text: "SK" + text),
    JWT,
)
"""Keys and tokens that are found by themselves."""

NAMES = st.sampled_from(
    [
        *("password", "PASSWORD", "db_password", "userPassword", "passwd", "pwd", "DB_PASS", "passphrase", "secret"),
        *("client_secret", "clientSecret", "token", "ACCESS_TOKEN", "refreshToken", "api_key", "apiKey", "X-Api-Key"),
        *(
            "API key",
            "apikey",
            "AWS_SECRET_ACCESS_KEY",
            "private_key",
            "AccountKey",
            "credentials",
            "spring.datasource.password",
        ),
        *("authorization", "Proxy-Authorization", "password2", "secret_id", "connectionString"),
    ]
)
"""Names that say that a secret stands behind them."""
