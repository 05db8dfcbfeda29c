"""The probe: what CaveLab puts into a Python kernel to see variables and to guard its runs."""

from cave_lab.kernel.probe.options import ProbeOptions
from cave_lab.kernel.probe.source import injection_code, version

__all__ = ["ProbeOptions", "injection_code", "version"]
