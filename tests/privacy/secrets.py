"""Secrets, with what of their beginning and of their end must not be told."""

KEY = "canary-value-123"
PEM = "-----BEGIN RSA PRIVATE KEY-----\n" + "MIIEpQIBAAKC\n" * 50 + "-----END RSA PRIVATE KEY-----"
PARTS = {
    KEY: ("canary", "value"),
    "sk-proj-abcdefghijklmnopqrstuvwx": ("abcd", "stuvwx"),
    "ghp_abcdefghijklmnopqrstuvwxyz0123": ("abcd", "wxyz0123"),
    "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmN": ("hbGci", "jVmN"),
    "postgres://someone:geheimes@db.example/x": ("geh", "mes@"),
    "Bearer abcdef0123456789": ("abcd", "6789"),
    'password = "hunter2hunter2"': ("hunt", "ter2"),
    PEM: ("MIIE", "MIIE"),
}
