"""A kernel that takes the others' connections before it takes any on stdin; or takes none there."""

import sys
import threading

from ipykernel.kernelapp import IPKernelApp

LATE_SECONDS = 0.5


class LateStdinApp(IPKernelApp):
    def _bind_socket(self, socket, port):
        if socket is not self.stdin_socket:
            return super()._bind_socket(socket, port)
        if "never" not in sys.argv:
            bind = super()._bind_socket
            threading.Timer(LATE_SECONDS, bind, (socket, port)).start()
        return port


if __name__ == "__main__":
    app = LateStdinApp.instance()
    app.initialize([one for one in sys.argv[1:] if one != "never"])
    app.start()
