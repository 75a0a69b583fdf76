import { spawnSync } from 'node:child_process'
import { existsSync, rmSync, writeFileSync } from 'node:fs'

/**
 * Installs Debian packages with programs that tests run. If that is impossible, the tests are skipped with a
 * message.
 */
export function ensureDebianPackage(name, file, beside = []) {
  if (existsSync(file) || !existsSync('/usr/bin/apt-get') || process.getuid?.() !== 0) return
  console.log(`Installing ${name} …`)
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const run = (...args) => spawnSync('apt-get', args, { stdio: ['ignore', 'ignore', 'inherit'], env })
  run('update', '-qq')
  run('install', '-y', '-qq', '--no-install-recommends', name, ...beside)
}

/** Skipped if a service manager would start the server. Tests start their own, on loopback. */
export function ensureSshd() {
  if (!existsSync('/run/systemd/system')) ensureDebianPackage('openssh-server', '/usr/sbin/sshd')
}

const policy = '/usr/sbin/policy-rc.d'

/**
 * Skipped if that would start an engine. Tests start their own, in a separate network. Podman has no service.
 */
export const ensureEngines = () =>
  withoutServices(() => {
    ensureDebianPackage('docker.io', '/usr/sbin/dockerd', ['busybox-static', 'iptables', 'iproute2'])
    const podman = ['runc', 'conmon', 'netavark', 'aardvark-dns', 'catatonit', 'containernetworking-plugins']
    ensureDebianPackage('podman', '/usr/bin/podman', podman)
  })

/** Reverse proxies that tests start in front of their servers. */
export const ensureProxies = () =>
  withoutServices(() => {
    ensureDebianPackage('nginx-light', '/usr/sbin/nginx')
    ensureDebianPackage('haproxy', '/usr/sbin/haproxy')
  })

/** Tests start a PostgreSQL server of their own. */
export const ensurePostgres = () =>
  withoutServices(() => ensureDebianPackage('postgresql', '/usr/lib/postgresql'))

/** Tests of several processes start NATS servers of their own. */
export const ensureNats = () =>
  withoutServices(() => ensureDebianPackage('nats-server', '/usr/sbin/nats-server'))

/** Tests of the store of samples start a VictoriaMetrics of their own. */
export const ensureVictoriaMetrics = () =>
  withoutServices(() => ensureDebianPackage('victoria-metrics', '/usr/bin/victoria-metrics'))

/** Provides promtool, which checks Pulse's metrics; the Prometheus server is not started. */
export const ensurePromtool = () =>
  withoutServices(() => ensureDebianPackage('prometheus', '/usr/bin/promtool'))

/** Installs only if the installation starts no service. */
function withoutServices(install) {
  if (existsSync('/run/systemd/system')) return
  const forbids = process.getuid?.() === 0 && !existsSync(policy)
  if (forbids) writeFileSync(policy, '#!/bin/sh\nexit 101\n', { mode: 0o755 })
  try {
    install()
  } finally {
    if (forbids) rmSync(policy)
  }
}
