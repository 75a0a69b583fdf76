import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'

/** Installs a Debian package that tests run for real. Where that cannot be done they are skipped, and say so. */
export function ensureDebianPackage(name, file) {
  if (existsSync(file) || !existsSync('/usr/bin/apt-get') || process.getuid?.() !== 0) return
  console.log(`Installing ${name} …`)
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const run = (...args) => spawnSync('apt-get', args, { stdio: ['ignore', 'ignore', 'inherit'], env })
  run('update', '-qq')
  run('install', '-y', '-qq', '--no-install-recommends', name)
}

/** Not where a service manager would start the server: the tests run one of their own, on loopback. */
export function ensureSshd() {
  if (!existsSync('/run/systemd/system')) ensureDebianPackage('openssh-server', '/usr/sbin/sshd')
}
