"""An engine's complaint on the words of the spec that it is about."""


def place(case, finding):
    """`file:line:column` of the words behind a value, or behind the nearest thing that holds it; None without any."""
    origins = {
        origin["pointer"]: origin["at"]
        for origin in case["origins"]
        if origin["artefact"] == finding.get("artefact") and origin["document"] == finding.get("document", 0)
    }
    pointer = finding.get("pointer") or ""
    while pointer and pointer not in origins:
        pointer = pointer.rpartition("/")[0]
    return origins.get(pointer)


def line(case, engine, finding):
    """What a person reads."""
    at = place(case, finding) or case["spec"] or case["case"]
    where = f"{finding.get('artefact', '')}{finding.get('pointer') or ''}"
    return f"{at}: {engine} {finding['kind']} {where}: {finding['words']}"
