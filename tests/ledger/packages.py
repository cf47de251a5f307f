"""Where packages are found, which of them has a name, how they are pinned, and what commands do with them."""

from __future__ import annotations

from tests.ledger.behaviour import SPEC, Behaviour

SOURCES = (
    Behaviour(
        "discover.tools",
        "A package never takes the name of a tool that discloses packages.",
        "regression: a folder could speak to models in the tool's stead",
    ),
    Behaviour("discover.written-names", "A package is activated by the name that its author wrote.", SPEC),
    Behaviour(
        "collisions.code",
        "What code registered keeps its name.",
        "choice: a function that a module calls by name must not become another by a new folder",
    ),
    Behaviour(
        "collisions.first-wins", "The first keeps its name and the others are found by where they are from.", SPEC
    ),
    Behaviour("collisions.identical", "The same files under two paths are one entry and a note.", SPEC),
    Behaviour("collisions.namespaces", "A namespace keeps packages apart and collides only with itself.", SPEC),
    Behaviour(
        "collisions.several",
        "Several losers from one level are named by where they are, whatever comes and goes.",
        "choice: a number is a position, and led to another package when a folder went",
    ),
    Behaviour("collisions.spelling", "Two spellings of one name collide.", SPEC),
    Behaviour("discover.again", "Asked again it exchanges what changed and keeps the other entries.", SPEC),
    Behaviour("discover.archive", "An archive is discovered like a folder.", SPEC),
    Behaviour("discover.atomic", "Readers see the old or the new package and never none.", SPEC),
    Behaviour(
        "discover.by-place",
        "Every package is found by where it is, also when others of its name come and go.",
        "regression: `project-2/pdf` was another one after a folder went",
    ),
    Behaviour(
        "discover.code",
        "What code registered keeps its name also a factory that was not made.",
        "choice: a call by name must not become another because a folder came",
    ),
    Behaviour("discover.entries", "Every package below a folder is an entry and each problem is told.", SPEC),
    Behaviour(
        "discover.gone",
        "A package whose files went away or are others is told when it is opened, and its text is not searched.",
        SPEC,
    ),
    Behaviour("discover.label", "A caller may give a source and a namespace.", SPEC),
    Behaviour(
        "discover.last-good",
        "A package that breaks keeps its entry and its text, in the library as in a server, and is told so.",
        "regression: the library kept the entry alone",
    ),
    Behaviour("discover.load", "Activating a package reads its text and lists its resources.", SPEC),
    Behaviour("discover.missing", "A path that is not there is an error that names a near one.", SPEC),
    Behaviour("discover.qualified", "Who loses a name and who has it are found by where they are from.", SPEC),
    Behaviour(
        "discover.spelling",
        "Another spelling of a name takes the place of the one before.",
        "choice: `-` and `_` are one key, so that both cannot be there",
    ),
    Behaviour(
        "discover.unregistered",
        "A package that was taken out stays out until it changes.",
        "choice: looking again is no reason to forget what the host decided",
    ),
    Behaviour(
        "discover.versions",
        "Another version takes the place of the one before even a lower one.",
        "choice: what is on disk counts, not which number is higher",
    ),
    Behaviour("packages.found", "A package is found with its manifest its place and the digest of its text.", SPEC),
    Behaviour(
        "packages.incremental",
        "A file that did not change is not read again and one with other facts only if its bytes are.",
        SPEC,
    ),
    Behaviour(
        "packages.kept",
        "A scan comes back as it was but for its words.",
        "choice: the next scan starts from it, in this process or another",
    ),
    Behaviour("packages.last-good", "A broken edit keeps the last good version and says so until it is mended.", SPEC),
    Behaviour("packages.limits", "Each limit ends the look with a word and keeps what was found.", SPEC),
    Behaviour(
        "packages.linked-file",
        "A linked SKILL.md is read where it is and its package is there.",
        "choice: some installers link each file; a link to any other file is none of ours",
    ),
    Behaviour("packages.links", "Linked folders are followed once and real ones keep their path.", SPEC),
    Behaviour("packages.missing", "A standard folder that is not there is nothing and a named one a problem.", SPEC),
    Behaviour("packages.nested", "Packages are found at any depth and inside each other.", SPEC),
    Behaviour("packages.no-file", "What is no file and named SKILL.md is a problem and never waited for.", SPEC),
    Behaviour(
        "packages.odd-names",
        "A folder whose name cannot be shown is told and not looked into.",
        "choice: such a name could steer a terminal, and stands in no lock file",
    ),
    Behaviour(
        "packages.odd-resources",
        "A resource whose name is no UTF-8 is told.",
        "regression: it was left out without a word",
    ),
    Behaviour("packages.one-bad", "One bad skill never stops the rest and is told with place and fix.", SPEC),
    Behaviour("packages.order", "Nearer sources and shallower folders come first.", SPEC),
    Behaviour("packages.passed-over", "What tools keep is not looked into.", SPEC),
    Behaviour("packages.races", "A file that is replaced all the time is read whole or told.", SPEC),
    Behaviour(
        "packages.racy", "A file that changed just now is read again at the next scan.", "choice: as for folders"
    ),
    Behaviour(
        "packages.source-itself",
        "A source may be a package itself.",
        "choice: whoever names one package's folder means that package",
    ),
    Behaviour("packages.spelling", "SKILL.md may be spelt in any case.", SPEC),
    Behaviour("packages.unreadable", "A SKILL.md that may not be read is told.", SPEC),
    Behaviour(
        "sources.foreign",
        "A folder above that belongs to somebody else ends the way up.",
        "choice: anybody can make /tmp/.claude, and what it holds would speak to our agents",
    ),
    Behaviour("sources.installed", "An entry point names a package of Python whose folder holds skills.", SPEC),
    Behaviour(
        "sources.installed-wrong",
        "An entry point that names no folder is told.",
        "choice: whoever wrote it wants to know",
    ),
    Behaviour("sources.named", "What somebody named is relative to the project or the home.", SPEC),
    Behaviour("sources.plugins", "A plugin's skills have its folders name as namespace.", SPEC),
    Behaviour(
        "sources.project", "A project's sources are its clients' folders up to git's root the nearest first.", SPEC
    ),
    Behaviour("sources.user", "A user's sources lie in the home and where XDG says.", SPEC),
)

ARCHIVES = (
    Behaviour(
        "archives.cache",
        "A cache that others can write to is not used.",
        "choice: what lies there is taken for what was unpacked",
    ),
    Behaviour(
        "archives.costly",
        "A header that claims to be huge is not read.",
        "choice: the standard library's reader would take it into memory whole",
    ),
    Behaviour("archives.damaged", "An archive that is cut anywhere is refused.", "choice: half a package is none"),
    Behaviour("archives.double", "Two members that are one somewhere are refused.", SPEC),
    Behaviour("archives.every-fault", "Every fault is told up to a number.", SPEC),
    Behaviour(
        "archives.here",
        "What was packed as the folder itself, so that each name begins with ./, is unpacked.",
        "regression: tar czf skills.tgz . was refused",
    ),
    Behaviour("archives.killed", "An unpacking that is killed at any step leaves nothing that counts.", SPEC),
    Behaviour("archives.leaving", "No path leaves and no odd one is taken.", SPEC),
    Behaviour("archives.lies", "A zip whose member is larger or smaller than it says is refused.", SPEC),
    Behaviour("archives.limits", "How much comes out is limited and the limit named.", SPEC),
    Behaviour("archives.links", "No link pipe or device of a tar is taken.", SPEC),
    Behaviour(
        "archives.odd-zip",
        "A zip that cannot be unpacked without more is told.",
        "choice: a password is none of an archive's, and other methods take as much memory as the archive likes",
    ),
    Behaviour("archives.once", "Several processes unpack one archive side by side.", SPEC),
    Behaviour(
        "archives.races",
        "An archive that changes while it is unpacked is refused.",
        "choice: the folder would have the name of other bytes",
    ),
    Behaviour("archives.source", "A named archive is a source and one that cannot be unpacked is told.", SPEC),
    Behaviour("archives.unpacked", "An archive is unpacked into a folder named by its bytes whatever its name.", SPEC),
)

PINNING = (
    Behaviour("digest.changes", "Any change is another digest.", SPEC),
    Behaviour("digest.composed", "A name is the same however its letters are composed.", SPEC),
    Behaviour("digest.covers", "Every file counts with path kind and bytes.", SPEC),
    Behaviour(
        "digest.every-byte",
        "No name of a folder keeps its files out of the digest: neither a cache's nor that of a package inside.",
        "choice: Python runs what lies in __pycache__ in place of the source beside it",
    ),
    Behaviour(
        "digest.races",
        "A package that changes while it is read has no digest.",
        "choice: a digest of half of this and half of that is nobody's",
    ),
    Behaviour(
        "digest.refused",
        "What cannot be written down or read is refused by name.",
        "choice: a digest that leaves something out protects from nothing",
    ),
    Behaviour(
        "digest.remarks",
        "Trust and lock say which files Python runs in place of their sources, and which are a package's inside.",
        "choice: a list of names does not say which of them Python prefers, nor whose they are besides",
    ),
    Behaviour(
        "digest.same",
        "A copy has the same digest whatever its times and empty folders.",
        "choice: what a package consists of is the same on each machine",
    ),
    Behaviour("lock.command", "Lock writes one file and check names what differs.", SPEC),
    Behaviour("lock.drift", "What differs is named down to the file.", SPEC),
    Behaviour("lock.form", "A lock file has one sorted form and is read back.", SPEC),
    Behaviour("lock.killed", "A write that is killed at any step leaves the old lock file or the new one.", SPEC),
    Behaviour(
        "lock.moved",
        "A package that moved or has another version differs.",
        "choice: source and version are written down, so they are checked",
    ),
    Behaviour(
        "lock.packages",
        "What is locked is the project's and not the users.",
        "choice: nobody else has my own folders, so that every other machine would differ",
    ),
    Behaviour(
        "lock.refused",
        "What is no lock file or was edited is refused with the way out.",
        "choice: a merge by hand must not pass for what was locked",
    ),
    Behaviour(
        "lock.unreadable", "A package that cannot be pinned is named.", "choice: a lock without it would be no lock"
    ),
    Behaviour("trust.before", "The version before is the last of that folder or else of that name.", SPEC),
    Behaviour(
        "trust.built",
        "A package in a built file is trusted by the digest that its folder has.",
        "regression: it could not be looked at",
    ),
    Behaviour("trust.list", "The list of what is trusted tells which files are others now.", SPEC),
    Behaviour(
        "versions.told-once",
        "An odd version of a package is told by lint and the doctor, and by no other command.",
        "choice: a warning at every command is read by nobody",
    ),
    Behaviour("trust.command", "Trust shows what a package holds and later what changed.", SPEC),
    Behaviour("trust.damaged", "A damaged record is no trust.", "choice: in doubt, a person is asked again"),
    Behaviour("trust.diff", "Changed text is shown as a diff and other files by name.", SPEC),
    Behaviour("trust.digest", "Trust holds for these bytes and no others.", SPEC),
    Behaviour(
        "trust.long",
        "A package with very many files is shown in part.",
        "choice: a terminal that scrolls for minutes shows nothing",
    ),
    Behaviour(
        "trust.loose",
        "Where others could write nothing is trusted.",
        "choice: whoever can write there decides what runs in our name",
    ),
    Behaviour("trust.own", "A user's own package is trusted by itself and what is no package never.", SPEC),
    Behaviour("trust.package", "Trust is asked about a package by the bytes that it has now.", SPEC),
    Behaviour("trust.private", "What is trusted is kept for its owner alone.", SPEC),
    Behaviour("trust.terminal", "A person at the terminal is asked.", SPEC),
    Behaviour("trust.verdict", "What the user put there is trusted and what a project brings only when known.", SPEC),
)

PLACES = (
    Behaviour(
        "index.manifests",
        "Whatever a manifest says comes back from the index.",
        "choice: the quick way of packages gives what the way of all entries gives",
    ),
    Behaviour(
        "commands.list-packages",
        "A repository with clients' folders alone is listed from anywhere inside and nothing is left there.",
        SPEC,
    ),
    Behaviour("commands.package-problems", "Problems of packages are told and notes left to the doctor.", SPEC),
    Behaviour("commands.show-package", "A package is shown and run like any skill.", SPEC),
    Behaviour("index.bare", "The index of a folder without settings lies in the user's cache.", SPEC),
    Behaviour("index.packages", "It holds while every folder and SKILL.md is as it was.", SPEC),
    Behaviour(
        "index.packages-broken",
        "A broken package keeps no index from being kept and a mended one ends it.",
        "choice: one bad skill among thousands must not make every list slow; whatever mends it is watched",
    ),
    Behaviour("index.packages-kept", "Packages come back from the index as they were.", SPEC),
    Behaviour(
        "index.unregistered",
        "No index is kept of a registry from which somebody took a package.",
        "choice: an index says what opening the project gives",
    ),
    Behaviour(
        "project.bare-packages",
        "A folder of packages holds those alone and one with clients' folders is a project.",
        SPEC,
    ),
    Behaviour(
        "project.home",
        "A home that is a project has its own packages once and as the users.",
        "choice: whose they are decides whether they are trusted",
    ),
    Behaviour(
        "project.package-code",
        "Code in a packages folder is not run by opening it.",
        "choice: the scripts of a package are none of a project's modules",
    ),
    Behaviour(
        "project.packages",
        "A project has the packages of its folders its repository its user its plugins and its paths.",
        SPEC,
    ),
    Behaviour("project.packages-settings", "Settings and variables say where and how far is looked.", SPEC),
    Behaviour(
        "serve.not-watched",
        "A server that is told not to watch says so.",
        "choice: where watching is not wanted, or cannot be had, everything else works",
    ),
    Behaviour("serve.reload", "A server reloads packages as they change and keeps the last good version.", SPEC),
    Behaviour(
        "serve.reload-replaced",
        "A server follows a skills folder that took another's place under its path.",
        "regression: the folder that was there before was watched for ever",
    ),
    Behaviour(
        "serve.reload-linked",
        "A server reloads what links lead to and archives.",
        "choice: whoever links a skill edits it where it is",
    ),
)
