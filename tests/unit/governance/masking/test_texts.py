from __future__ import annotations

import base64
import hashlib
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prowess.governance.masking.mask import MASK
from prowess.governance.masking.texts import TEXT_LIMIT, masked_text
from tests.unit.governance.masking.secrets_of import JWT, KEYS, NAMES, PEM, drawn

if TYPE_CHECKING:
    import uuid

DOCS = Path(__file__).parents[4] / "docs"
AROUND = st.text(" \n.,;:!?()[]{}<>'\"|=/", max_size=3)
PROSE = st.text("abc \n", max_size=12).map(lambda text: text + " ")


@pytest.mark.behaviour("redaction.shapes")
@given(PROSE, AROUND, KEYS | PEM, AROUND, PROSE)
def test_no_key_survives_wherever_it_stands(first: str, before: str, key: str, after: str, last: str) -> None:
    """Spec: secrets found by shape never leave the gate unmasked."""
    shown = masked_text(first + before + key + after + " " + last)
    assert key not in shown
    assert key[-16:] not in shown
    assert MASK in shown
    assert shown.startswith(first)
    assert masked_text(shown) == shown


@pytest.mark.behaviour("redaction.shapes")
@pytest.mark.parametrize(
    "form",
    [
        "{name}={secret}",
        "{name} = '{secret}'",
        'x {name}="{secret}" y',
        "{name}: {secret}",
        '{{"{name}": "{secret}", "x": 1}}',
        '{{\\"{name}\\": \\"{secret}\\"}}',
        "{{'{name}': '{secret}'}}",
        "{name}:\t{secret}\nx",
        "export {name}={secret}; x",
        "os.environ['{name}'] = b'{secret}'",
        "https://host/path?{name}={secret}&x=1",
        "**{name}:** {secret}",
        "{name} => {secret}",
        "[x] ({name}={secret})",
    ],
)
@given(name=NAMES, secret=drawn(5))
def test_what_is_assigned_to_a_name_of_a_secret_goes(form: str, name: str, secret: str) -> None:
    """Spec: assignments such as `password=…` and `token: …`."""
    text = form.format(name=name, secret=secret)
    shown = masked_text(text)
    assert shown == text.replace(secret, MASK).replace(f"({name}={MASK})", f"({name}={MASK}")
    assert masked_text(shown) == shown


@pytest.mark.behaviour("redaction.shapes")
@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("password=hunter", f"password={MASK}"),
        ("password: hunter", f"password: {MASK}"),
        ("password: hunter\nx", f"password: {MASK}\nx"),
        ("password: 'correct horse'", f"password: '{MASK}'"),
        ('"password": "a\\"b"', f'"password": "{MASK}"'),
        ('password="unclosed s3cret', f'password="{MASK}'),
        ("password: p@ss for bob", f"password: {MASK} for bob"),
        ("token=4711", f"token={MASK}"),
        ("pwd=12", f"pwd={MASK}"),
        ("tool --password hunter2 --x", f"tool --password {MASK} --x"),
        ("tool --api-key 'k 1' x", f"tool --api-key '{MASK}' x"),
        ("Authorization: Bearer abc.def", f"Authorization: Bearer {MASK}"),
        ("authorization=hunter2", f"authorization={MASK}"),
        ("{'Authorization': 'Bearer canary'}", f"{{'Authorization': 'Bearer {MASK}'}}"),
        ("curl -H 'Authorization: Basic dXNlcjpwYXNz' x", f"curl -H 'Authorization: Basic {MASK}' x"),
        ("Authorization: Token s3cret and more", f"Authorization: Token {MASK} and more"),
        ("sent Bearer abcdefgh1 to", f"sent Bearer {MASK} to"),
        ("Cookie: a=b; sid=xyz\nx", f"Cookie: {MASK}\nx"),
        ("Set-Cookie: sid=xyz; Path=/", f"Set-Cookie: {MASK}"),
        ("<password>hunter two</password>", f"<password>{MASK}</password>"),
        ("https://bob:s3cret@host/x", f"https://bob:{MASK}@host/x"),
        ("redis://:p:w@host", f"redis://:{MASK}@host"),
        ("postgres://app:pw@db:5432/x?y=a@b", f"postgres://app:{MASK}@db:5432/x?y=a@b"),
        ("VALUE=q8Hf73kLmZ0pXyTr9aBcD2eW", f"VALUE={MASK}"),
        ("key: 'q8Hf73kLmZ0pXyTr9aBcD2eW'", f"key: '{MASK}'"),
        ("Server=x;Password=a1b2;User=y", f"Server=x;Password={MASK};User=y"),
        ("пароль: hunter2", f"пароль: {MASK}"),
        (f"password={MASK}tail", f"password={MASK}"),
    ],
)
def test_secrets_behind_names(text: str, shown: str) -> None:
    """Spec: as above, in the forms that logs, commands, headers and addresses have."""
    assert masked_text(text) == shown
    assert masked_text(shown) == shown


@pytest.mark.behaviour("redaction.shapes")
def test_of_a_private_key_without_an_end_all_goes_that_may_belong_to_it() -> None:
    """Choice: logs are cut; what follows a mere mention of a key stays readable."""
    begin = "-----BEGIN PRIVATE KEY-----"
    assert masked_text(f"x {begin}\nMIIE\\nab+/c=\n7Kq") == f"x {MASK}"
    assert masked_text(f"`{begin}` (a header). Then more.") == f"`{MASK}` (a header). Then more."
    assert masked_text(f"{begin}\nabc\n{begin}\nabc\n-----END PRIVATE KEY-----!") == f"{MASK}{MASK}!"


@pytest.mark.behaviour("redaction.ordinary")
@pytest.mark.parametrize(
    "text",
    [
        "The token: a string that the server gives you. Your password: see the manual.",
        "Secret: none. Password: required. password=None, token=null, api_key: str = ''",
        "def login(user: str, password: str, token: Optional[str] = None) -> Session:",
        "client = Client(api_key=os.environ['API_KEY'], token=self.token, password=get_password())",
        "password=password, token=access_token, apiKey: apiKey",
        "Authorization: Bearer $TOKEN, Authorization: Bearer <token>, Authorization: Bearer tokens are required",
        "Authorization: required for all routes; bearer authentication; Bearer authentication",
        "token: ${{ secrets.GITHUB_TOKEN }} and password: {password} and --token <token>",
        "pass --token to authenticate, --password-file x, --secret-name y7",
        "max_tokens=4096, tokens: 17, total_tokens: 1_234, token_count=12, next_page_token=abc1",
        "sk-learn-container-with-a-long-name sk_toggleable__label_arrow pypi-publish-to-test-index-2 npm_config_cache",
        "key=value, keyboard: x1, monkey=2b, author: ann7, cookie: a small file, the key: x7",
        "https://host:8765/path?mail=a@b.com and https://host/@user and a:b@c",
        "ASIATIC AKIA and gh_pages, ghp_x, hf_model, xoxo, eyJhbGci",
        "compare(a == b, c => d, e := f) var x: Dictionary<string, number> = {}",
        "var cert = X509CertificateLoader.LoadPkcs12FromFile(path); path=src/app2/Components/Login3Form.tsx",
        "API_KEY=YOUR_API_KEY_HERE token=your-token password=********",
        "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk",
        "sha256=9F86d081884c7d659A2feaa0c55ad015a integrity=sha512-z9b7Kq2Qw3Rt5Yu7Io9Pa1Sd3Fg5Hj7Kl",
        "get a secret: https://example.com/keys2",
        "<token>x</tok> <item>hunter2</item> <password>{pw}</password>",
    ],
)
def test_what_is_no_secret_stays(text: str) -> None:
    """Choice: prose, code and placeholders speak of secrets all the time."""
    assert masked_text(text) == text


@pytest.mark.behaviour("redaction.ordinary")
@given(st.uuids(), st.binary(min_size=8, max_size=8), st.binary(min_size=200, max_size=900), st.integers())
def test_ids_hashes_numbers_and_images_stay(one: uuid.UUID, seed: bytes, image: bytes, number: int) -> None:
    """Spec: UUIDs, hashes in ordinary fields and base64 images are no secrets."""
    hashed = hashlib.sha256(seed)
    picture = base64.b64encode(image).decode()
    for text in (
        f"id={one} run: {one} /runs/{one.hex}",
        f"digest={hashed.hexdigest()} commit: {hashed.hexdigest()[:40]}",
        f"etag={base64.b64encode(hashed.digest()).decode()}",
        f"<img src='data:image/png;base64,{picture}'> image={picture}",
        f"n={number} at: {number}",
    ):
        assert masked_text(text) == text


@pytest.mark.behaviour("redaction.ordinary")
@pytest.mark.parametrize("page", sorted({*DOCS.glob("*.md")} - {DOCS / "policies.md"}), ids=lambda page: page.name)
def test_our_own_pages_stay_readable(page: Path) -> None:
    """Choice: technical prose is what skills hold; the page about masking holds secrets."""
    text = page.read_text(encoding="utf-8")
    found = masked_text(text).count(MASK) - text.count(MASK)
    assert found <= len(text) / 4_000, "more than the examples of secrets that a page may hold"


# ---------------------------------------------------------------------------------------------------------------------


EVIL = [
    *("a", "=", ":", "'", '"', "\\", "\\'", "-", ".", "/", "$", "@", " ", "\n", "<", "eyJ", "sk-", "sk-a", "a.", "a-"),
    *(
        "password=",
        "password='",
        'password="',
        'password=\\"',
        "token=$",
        "token: x ",
        "--token ",
        "key=a",
        "cookie: a",
    ),
    *("-----BEGIN PRIVATE KEY-----", "://a:b", "://", "Authorization: ", "authorization:bearer ", "bearer aaaaaaaaa"),
    *("<password>", "eyJaaaaa.", "AKIA", "token={", "token=a(", "token=[", "token=a.b", "password: a-", "x=Aa0Aa0"),
]


@pytest.mark.behaviour("redaction.linear")
@pytest.mark.parametrize("piece", EVIL)
def test_no_text_takes_more_than_its_share_of_time(piece: str) -> None:
    """Spec: bounded time, whatever a handler puts into a text: ten times the text, not a hundred times the time."""

    def seconds(size: int) -> float:
        text = (piece * size)[:size]
        begun = time.process_time()
        masked_text(text)
        return time.process_time() - begun

    assert seconds(100_000) < 1.5 or seconds(100_000) < 30 * min(seconds(10_000) for _ in range(3))


@pytest.mark.behaviour("redaction.linear")
def test_of_a_text_without_end_only_the_beginning_is_shown() -> None:
    """Choice: bounded input; half a secret has no shape, so that the cut is made at a space."""
    key = "sk" + "-" + "7" * 40
    word = "x-y "
    text = word * (TEXT_LIMIT // len(word) - 8) + key + " " + word * 100
    shown = masked_text(text)
    assert len(shown) <= TEXT_LIMIT
    assert "77" not in shown
    assert shown.endswith("[… the rest is not shown]")
    assert masked_text(shown) == shown
    assert masked_text("7" + "-" * TEXT_LIMIT) == " [… the rest is not shown]"
    assert masked_text("x" * (TEXT_LIMIT + 1)) == "x" * (TEXT_LIMIT + 1)


@given(JWT)
def test_a_token_of_two_parts_goes_as_well(token: str) -> None:
    """Choice: an unsigned token still says who somebody is."""
    assert masked_text(f"at {token.rpartition('.')[0]}.") == f"at {MASK}"


def test_the_corpus_of_drawn_words_is_mostly_found() -> None:
    """Choice: drawn words that are assigned are found by how wild they are, which chance may belie now and then."""
    hashes = (hashlib.sha256(str(number).encode()).digest() for number in range(500))
    words = [base64.urlsafe_b64encode(one).decode().strip("=") for one in hashes]
    found = sum(masked_text(f"X={word}") == f"X={MASK}" for word in words)
    assert found >= 490
