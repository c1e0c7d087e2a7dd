"""The archive and the commands of torture_edit.py."""

FILES = {
    "stillfeed.yml": "title: T\ntimeZone: Asia/Taipei\nself: [ada]\n",
    "Content/people.yml": "- id: ada\n  name: Ada\n",
    "Content/posts/2024-01-01-rain.md": "---\ntitle: Rain # kept\nauthor: ada\n---\n\nOld body\n",
    "Content/comments/rain.jsonl": '{"id":"1","author":"ada","date":"2024-01-02","body":"c"}\r\n',
    "Content/channels/gb/channel.yml": "view: board\n",
    "Content/channels/gb/board.json": "[\n"
    + ",\n".join(
        '  { "id": "%d", "name": "Ada", "content": "m%d", "time": "2024-01-%02dT08:00:00Z" }'
        % (n, n, n)
        for n in range(1, 11)
    )
    + "\n]\n",
    "Content/channels/log/a.jsonl": "".join(
        '{"id":"%d","author":"ada","date":1704067200000,"body":"l%d"}\n' % (n, n)
        for n in range(1, 6)
    ),
    "attach.png": "not really a picture",
}

COMMANDS = {
    "edit a board": ["edit", "channels/gb#m-3", "--body", "new", "--like"],
    "edit a post": ["edit", "posts/rain", "--title", "New", "--tag", "a"],
    "add a message": ["add", "message", "--to", "log", "--author", "ada", "hello"],
    "add a post": ["add", "post", "--author", "ada", "--title", "Snow", "white"],
    "add a channel": ["add", "channel", "news"],
    "add with a picture": ["add", "message", "--to", "gb", "--author", "ada", "--attach",
                           "ROOT/attach.png", "look"],
    "delete a line": ["delete", "channels/log#m-2", "--yes"],
    "delete a post": ["delete", "posts/rain", "--yes"],
    "bury a comment": ["delete", "posts/rain#c-1", "--tombstone", "--yes"],
}
