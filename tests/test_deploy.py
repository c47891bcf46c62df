"""The files in deploy/: checked by linters and against the code, since no container engine may be at hand."""

import json
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml

from infra import metrics
from service.config import Settings, variable

ROOT = Path(__file__).parent.parent
DEPLOY = ROOT / "deploy"
COMPOSE = yaml.safe_load((DEPLOY / "compose.yaml").read_text())
MANIFESTS = [
    (file.name, each)
    for file in sorted((DEPLOY / "kubernetes").glob("*.yaml"))
    if file.name != "kustomization.yaml"
    for each in yaml.safe_load_all(file.read_text())
]
RUNBOOK = (DEPLOY / "RUNBOOK.md").read_text()

SERVICE_KEYS = frozenset(
    [
        "image",
        "build",
        "restart",
        "init",
        "read_only",
        "cap_drop",
        "security_opt",
        "tmpfs",
        "volumes",
        "environment",
        "shm_size",
        "healthcheck",
        "command",
        "depends_on",
        "deploy",
        "ports",
        "stop_grace_period",
    ]
)


def pods() -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Every pod that the manifests describe."""
    for _, manifest in MANIFESTS:
        if manifest["kind"] in {"Deployment", "Job"}:
            yield manifest["metadata"]["name"], manifest["spec"]["template"]["spec"]


PODS = dict(pods())


def test_hadolint_finds_nothing() -> None:
    hadolint = Path(sys.executable).parent / "hadolint"
    done = subprocess.run([hadolint, DEPLOY / "Dockerfile"], check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_image_holds_what_it_copies_and_runs_without_privileges() -> None:
    text = (DEPLOY / "Dockerfile").read_text()
    allowed = {line[1:] for line in (ROOT / ".dockerignore").read_text().splitlines() if line.startswith("!")}
    copied = {name for line in re.findall(r"^COPY (?!--from)(.+)$", text, re.MULTILINE) for name in line.split()[:-1]}
    assert copied == allowed
    assert all((ROOT / name).exists() for name in copied)
    assert re.findall(r"^USER (.+)$", text, re.MULTILINE) == ["10001:10001"]
    assert "HEALTHCHECK" in text


def test_every_setting_that_is_set_exists() -> None:
    known = {variable(name) for name in Settings.model_fields}
    for file in (path for path in DEPLOY.rglob("*") if path.is_file()):
        assert set(re.findall(r"PODESTA_[A-Z_]+", file.read_text())) <= known, file


def test_every_process_is_given_what_all_processes_share() -> None:
    shared = {"DATABASE_URL", "REDIS_URL", "VAULT_KEY", "SIGNING_KEY_FILE", "LOG_KEY_FILE", "LOG_ORIGIN"}
    settings = next(set(manifest["data"]) for name, manifest in MANIFESTS if name == "settings.yaml")
    for part in ("web", "worker"):
        assert shared <= {name.removeprefix("PODESTA_") for name in COMPOSE["services"][part]["environment"]}
        given = {each["name"] for each in PODS[f"podesta-{part}"]["containers"][0]["env"]} | settings
        assert shared <= {name.removeprefix("PODESTA_") for name in given}


def test_compose_is_the_whole_topology() -> None:
    services = COMPOSE["services"]
    assert set(services) == {"postgres", "redis", "migrate", "web", "worker"}
    assert services["web"]["deploy"]["replicas"] == 2
    assert [services[name]["command"] for name in ("migrate", "web", "worker")] == [["migrate"], ["serve"], ["worker"]]
    for name, service in services.items():
        assert set(service) <= SERVICE_KEYS, name
        assert "image" in service
        assert not service["image"].endswith(":latest")
        assert ":" in service["image"]
        assert set(service.get("depends_on", {})) <= set(services)


def test_compose_names_only_volumes_and_files_that_exist() -> None:
    for service in COMPOSE["services"].values():
        for mount in service.get("volumes", []):
            source = mount.split(":")[0]
            assert (DEPLOY / source).exists() if source.startswith(".") else source in COMPOSE["volumes"]


def test_no_secret_stands_in_a_file() -> None:
    needed = set(re.findall(r"\$\{([A-Z_]+):\?", (DEPLOY / "compose.yaml").read_text()))
    example = dict(
        line.split("=") for line in (DEPLOY / "example.env").read_text().splitlines() if line and line[0] != "#"
    )
    assert set(example) == needed
    assert not any(example.values())
    assert not any(manifest["kind"] == "Secret" for _, manifest in MANIFESTS)
    assert "deploy/.env" in (ROOT / ".gitignore").read_text().splitlines()
    assert not re.search(r"\$(?!\$|\{[A-Z_]+:\?)[A-Z{]", (DEPLOY / "compose.yaml").read_text().replace("$$", ""))


def test_published_ports_are_for_this_machine_only() -> None:
    published = [port for service in COMPOSE["services"].values() for port in service.get("ports", [])]
    assert published
    assert all(port.startswith("127.0.0.1:") for port in published)


def test_kustomize_names_every_manifest() -> None:
    named = yaml.safe_load((DEPLOY / "kubernetes" / "kustomization.yaml").read_text())
    assert set(named["resources"]) == {name for name, _ in MANIFESTS}
    assert named["images"] == [{"name": "podesta", "newTag": project_version()}]


def project_version() -> str:
    found = re.search(r'^version = "(.+)"$', (ROOT / "pyproject.toml").read_text(), re.MULTILINE)
    assert found
    return found[1]


def test_the_image_is_named_by_the_present_version() -> None:
    assert COMPOSE["services"]["web"]["image"] == f"podesta:{project_version()}"


@pytest.mark.parametrize("name", PODS)
def test_pods_keep_to_the_restricted_standard(name: str) -> None:
    pod = PODS[name]
    assert pod["securityContext"]["runAsNonRoot"] is True
    assert pod["securityContext"]["seccompProfile"] == {"type": "RuntimeDefault"}
    assert pod["automountServiceAccountToken"] is False
    assert pod["enableServiceLinks"] is False, "else Kubernetes sets PODESTA_PORT to an address"
    volumes = {volume["name"] for volume in pod["volumes"]}
    for container in (*pod["containers"], *pod.get("initContainers", [])):
        security = container["securityContext"]
        assert security["allowPrivilegeEscalation"] is False
        assert security["readOnlyRootFilesystem"] is True
        assert security["capabilities"] == {"drop": ["ALL"]}
        assert set(container["resources"]) == {"requests", "limits"}
        assert {mount["name"] for mount in container["volumeMounts"]} <= volumes


def test_web_pods_are_probed_and_given_time_to_drain() -> None:
    pod = PODS["podesta-web"]
    web = pod["containers"][0]
    paths = [web[f"{kind}Probe"]["httpGet"]["path"] for kind in ("startup", "liveness", "readiness")]
    assert paths == ["/healthz", "/healthz", "/readyz"]
    settings = next(manifest["data"] for name, manifest in MANIFESTS if name == "settings.yaml")
    assert pod["terminationGracePeriodSeconds"] > 5 + float(settings["PODESTA_DRAIN_S"])


def test_selectors_find_what_they_are_for() -> None:
    labels = [
        manifest["spec"]["template"]["metadata"]["labels"]
        for _, manifest in MANIFESTS
        if manifest["kind"] == "Deployment"
    ]
    for _, manifest in MANIFESTS:
        selector = manifest.get("spec", {}).get("selector")
        if selector:
            wanted = selector.get("matchLabels", selector)
            assert any(wanted.items() <= each.items() for each in labels), manifest["metadata"]["name"]


def metrics_named_in(text: str) -> set[str]:
    return set(re.findall(r"\bpodesta_[a-z_]+", text)) - {"podesta_owner", "podesta_service"}


@pytest.mark.parametrize("file", ["grafana.json", "alerts.yaml", "RUNBOOK.md"])
def test_every_metric_that_is_named_exists(file: str) -> None:
    known = {name for names in metrics.REGISTRY._collector_to_names.values() for name in names}
    assert metrics_named_in((DEPLOY / file).read_text()) <= known


def test_the_dashboard_has_a_query_in_every_panel() -> None:
    board = json.loads((DEPLOY / "grafana.json").read_text())
    assert len({panel["id"] for panel in board["panels"]}) == len(board["panels"])
    assert all(target["expr"] for panel in board["panels"] for target in panel["targets"])


def test_every_alert_leads_to_a_chapter_of_the_runbook() -> None:
    chapters = {
        re.sub(r"[^a-z0-9-]", "", title.lower().replace(" ", "-"))
        for title in re.findall("^## (.+)$", RUNBOOK, re.MULTILINE)
    }
    rules = yaml.safe_load((DEPLOY / "alerts.yaml").read_text())["groups"][0]["rules"]
    for rule in rules:
        file, chapter = rule["annotations"]["runbook"].split("#")
        assert (file, chapter in chapters) == ("RUNBOOK.md", True), rule["alert"]
        assert set(rule) <= {"alert", "expr", "for", "labels", "annotations"}
