"""Writes the plays of a site: the tasks of many roles, as YAML."""
for role in range(120):
    with open(f"role{role:02d}.yml", "w") as out:
        for task in range(60):
            out.write(f"- name: task {task} of role {role}\n")
            out.write(f"  copy:\n    src: files/{role}/{task}.conf\n    dest: /etc/app/{task}.conf\n    mode: '0644'\n")
            out.write("  notify: [restart app, reload cache]\n  tags:\n    - config\n    - app\n")
