"""The server with the clients of three editors: pytest-lsp announces the capabilities of VS Code, Neovim, and Emacs.

TFJOB: the program. pytest runs each test once per editor.
"""
import os
import pathlib

import pytest
import pytest_lsp
from lsprotocol import types as lsp
from pytest_lsp import ClientServerConfig, LanguageClient, client_capabilities

SPEC = """\
job "mnist" {
    framework "tensorflow" version="2.15" strategy="multi-worker-mirrored"
    image "ml/mnist:1.0"
    run "python" "/app/train.py"
    role "worker" cuont=4 {
        resources cpus=2 memory="4GiB"
    }
    helper "notebook" {
        resources cpus=1 memory="2GiB"
    }
    helper "report" {
        resources cpus=1 memory="2GiB"
        after "notebook" when="started"
    }
}
"""
SERVER = ClientServerConfig(server_command=[os.environ["TFJOB"], "lsp"])


@pytest_lsp.fixture(params=["visual_studio_code", "neovim", "emacs"], config=SERVER)
async def client(request, lsp_client: LanguageClient, tmp_path):
    lsp_client.folder, lsp_client.watched = tmp_path, []

    @lsp_client.feature(lsp.CLIENT_REGISTER_CAPABILITY)
    def registered(params: lsp.RegistrationParams):
        lsp_client.watched += [one.method for one in params.registrations]

    capabilities = client_capabilities(request.param)
    lsp_client.announced = capabilities
    answer = await lsp_client.initialize_session(
        lsp.InitializeParams(capabilities=capabilities, root_uri=tmp_path.as_uri())
    )
    assert answer.server_info.name == "tfjob"
    yield
    await lsp_client.shutdown_session()


def takes_snippets(capabilities: lsp.ClientCapabilities) -> bool:
    """Returns whether a client accepts completion items with placeholders."""
    item = capabilities.text_document.completion.completion_item
    return bool(item and item.snippet_support)


async def opened(client: LanguageClient, text: str) -> str:
    """Opens a text, waits for its findings, and returns its URI."""
    path = pathlib.Path(client.folder, "mnist.tfjob.kdl")
    path.write_text(text)
    document = lsp.TextDocumentItem(path.as_uri(), "tfjob", 1, text)
    client.text_document_did_open(lsp.DidOpenTextDocumentParams(document))
    await published(client, path.as_uri())
    return path.as_uri()


async def published(client: LanguageClient, uri: str) -> list[lsp.Diagnostic]:
    """Waits for the next findings of a document."""
    while True:
        told = await client.wait_for_notification("textDocument/publishDiagnostics")
        if told.uri == uri:
            return told.diagnostics


def applied(text: str, edits) -> str:
    """Returns the text with edits, each on one line, as an editor applies them: the last first."""
    lines = text.splitlines(keepends=True)
    for edit in sorted(edits, key=lambda edit: (edit.range.start.line, edit.range.start.character), reverse=True):
        start, end = edit.range.start, edit.range.end
        before, after = lines[start.line][: start.character], lines[end.line][end.character :]
        lines[start.line : end.line + 1] = [before + edit.new_text + after]
    return "".join(lines)


def edits_of(edit: lsp.WorkspaceEdit, uri: str) -> list:
    """Returns the edits of a document, in either of the two forms of the protocol."""
    if edit.document_changes:
        return [one for change in edit.document_changes if change.text_document.uri == uri for one in change.edits]
    return list((edit.changes or {})[uri])


@pytest.mark.asyncio
async def test_a_misspelled_property_is_reported_and_fixed(client: LanguageClient):
    uri = await opened(client, SPEC)
    (problem,) = [one for one in client.diagnostics[uri] if one.severity == lsp.DiagnosticSeverity.Error]
    assert (problem.code, problem.source) == ("unknown-property", "tfjob")
    assert problem.range == lsp.Range(lsp.Position(4, 18), lsp.Position(4, 23))
    context = lsp.CodeActionContext([problem])
    params = lsp.CodeActionParams(lsp.TextDocumentIdentifier(uri), problem.range, context)
    actions = await client.text_document_code_action_async(params)
    (fix,) = [one for one in actions if one.is_preferred]
    if fix.edit is None:
        fix = await client.code_action_resolve_async(fix)
    text = applied(SPEC, edits_of(fix.edit, uri))
    assert 'role "worker" count=4' in text
    whole = lsp.TextDocumentContentChangeWholeDocument(text)
    version = lsp.VersionedTextDocumentIdentifier(2, uri)
    client.text_document_did_change(lsp.DidChangeTextDocumentParams(version, [whole]))
    left = await published(client, uri)
    assert [one for one in left if one.severity == lsp.DiagnosticSeverity.Error] == []


@pytest.mark.asyncio
async def test_properties_are_offered_and_inserted(client: LanguageClient):
    uri = await opened(client, SPEC.replace(" cuont=4", " "))
    at = lsp.Position(4, 18)
    answer = await client.text_document_completion_async(lsp.CompletionParams(lsp.TextDocumentIdentifier(uri), at))
    items = answer if isinstance(answer, list) else answer.items
    (count,) = [one for one in items if one.label.startswith("count")]
    is_snippet = count.insert_text_format == lsp.InsertTextFormat.Snippet
    assert is_snippet == takes_snippets(client.announced)
    assert "worker" not in [one.label for one in items]


@pytest.mark.asyncio
async def test_hover_shows_the_documentation(client: LanguageClient):
    uri = await opened(client, SPEC.replace("cuont", "count"))
    params = lsp.HoverParams(lsp.TextDocumentIdentifier(uri), lsp.Position(5, 24))
    hover = await client.text_document_hover_async(params)
    assert "CPU" in hover.contents.value


@pytest.mark.asyncio
async def test_a_helper_is_renamed_with_its_references(client: LanguageClient):
    text = SPEC.replace("cuont", "count")
    uri = await opened(client, text)
    document, reference = lsp.TextDocumentIdentifier(uri), lsp.Position(12, 16)
    edit = await client.text_document_rename_async(lsp.RenameParams(document, reference, "jupyter"))
    assert applied(text, edits_of(edit, uri)) == text.replace('"notebook"', '"jupyter"')
    found = await client.text_document_definition_async(lsp.DefinitionParams(document, reference))
    first = found[0] if isinstance(found, list) else found
    span = getattr(first, "target_selection_range", None) or first.range
    assert span.start.line == 7


@pytest.mark.asyncio
async def test_a_document_is_formatted(client: LanguageClient):
    untidy = SPEC.replace("cuont", "count").replace("    image", "  image").replace("    run", "\trun")
    uri = await opened(client, untidy)
    options = lsp.FormattingOptions(4, True)
    edits = await client.text_document_formatting_async(lsp.DocumentFormattingParams(lsp.TextDocumentIdentifier(uri), options))
    assert applied(untidy, edits) == SPEC.replace("cuont", "count")


@pytest.mark.asyncio
async def test_symbols_and_folds_cover_the_job(client: LanguageClient):
    uri = await opened(client, SPEC)
    document = lsp.TextDocumentIdentifier(uri)
    symbols = await client.text_document_document_symbol_async(lsp.DocumentSymbolParams(document))
    assert "worker" in str(symbols)
    folds = await client.text_document_folding_range_async(lsp.FoldingRangeParams(document))
    # The last line, with `}`, stays visible.
    assert (0, len(SPEC.splitlines()) - 2) in [(one.start_line, one.end_line) for one in folds]


@pytest.mark.asyncio
async def test_file_watchers_are_registered_where_the_client_can(client: LanguageClient):
    await opened(client, SPEC)
    watching = client.capabilities.workspace.did_change_watched_files
    can = bool(watching and watching.dynamic_registration)
    assert client.watched == (["workspace/didChangeWatchedFiles"] if can else [])
