"""A kernel of another language: it says what it is told, and `fail` fails."""

import time

from ipykernel.kernelapp import IPKernelApp
from ipykernel.kernelbase import Kernel


class EchoKernel(Kernel):
    implementation = "echo"
    implementation_version = "1"
    language = "echo"
    language_version = "1"
    language_info = {"name": "echo", "mimetype": "text/plain", "file_extension": ".echo"}  # noqa: RUF012
    banner = "echo"

    async def do_execute(
        self, code, silent, store_history=True, user_expressions=None, allow_stdin=False, **_
    ):
        if code == "sleep":
            time.sleep(60)
        if code == "ask":
            self._allow_stdin = allow_stdin
            code = self.raw_input("name? ")
        if code == "fail":
            error = {"ename": "<class 'Odd'>", "evalue": "as told", "traceback": ["odd"]}
            self.send_response(self.iopub_socket, "error", error)
            return {"status": "error", "execution_count": self.execution_count, **error}
        content = {"data": {"text/plain": code}, "metadata": {}}
        self.send_response(self.iopub_socket, "display_data", content)
        return {
            "status": "ok",
            "execution_count": self.execution_count,
            "payload": [],
            "user_expressions": {},
        }


if __name__ == "__main__":
    IPKernelApp.launch_instance(kernel_class=EchoKernel)
