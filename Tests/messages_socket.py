"""The socket of `adhan-bridge messages`, for trials: the part of systemd's adhan-messages.socket."""
import json
import os
import socket
import subprocess
import threading


class MessagesSocket:
    """Each connection is the standard input of one `adhan-bridge messages`. While `is_asleep`, connections are taken and get no program."""

    def __init__(self, path, words, output):
        """- Parameter words: the program and its arguments. Its errors go to the open file `output`."""
        self.path, self.words, self.output = str(path), words, output
        self.is_asleep = False
        self.running, self.silent = [], []
        self.listener = None

    def open(self):
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.bind(self.path)
        # Everybody may ask: the program itself refuses those who may not.
        os.chmod(self.path, 0o666)
        self.listener.listen(8)
        threading.Thread(target=self.serve, args=[self.listener], daemon=True).start()

    def serve(self, listener):
        while True:
            try:
                connection, _ = listener.accept()
            except OSError:
                return
            if self.is_asleep:
                self.silent.append(connection)
                continue
            with connection:
                self.running.append(subprocess.Popen(self.words, stdin=connection, stdout=subprocess.DEVNULL, stderr=self.output))

    def ask(self, line):
        """- Returns: the program's answer to a line."""
        with socket.socket(socket.AF_UNIX) as connection:
            connection.settimeout(60)
            connection.connect(self.path)
            connection.sendall(line)
            answer = b""
            while piece := connection.recv(65536):
                answer += piece
        return json.loads(answer)

    def close(self):
        """No connection is taken any more, and programs that run go on."""
        if not self.listener:
            return
        # Wakes the thread that waits for the next connection, which would take one more.
        self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()
        self.listener = None
        os.unlink(self.path)

    def end(self):
        """Ends what still runs.
        - Returns: whether every program has ended by itself."""
        self.close()
        for connection in self.silent:
            connection.close()
        late = []
        for process in self.running:
            try:
                process.wait(30)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait(30)
                late.append(process)
        return not late
