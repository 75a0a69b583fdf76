import { checkPassword } from '../appliance/accounts.ts'
import type { ApplianceCall, ApplianceRoute } from '../appliance/appliance.ts'
import { versionOf } from '../api/version.ts'
import { parameterError } from '../api/api-error.ts'
import { dayCurve, noise } from '../load/curve.ts'
import { datastoreRoutes } from './datastores.ts'
import { garbageRoutes } from './garbage.ts'
import { jobRoutes } from './jobs.ts'
import type { BackupServer } from './vault.ts'
import { snapshotRoutes } from './snapshots.ts'
import { checkNode, taskRoutes } from './tasks.ts'

export const pbsRoutes = (server: BackupServer, fingerprint: () => string): ApplianceRoute[] => [
  ...accessRoutes(server),
  ...datastoreRoutes(server),
  ...snapshotRoutes(server),
  ...garbageRoutes(server),
  ...jobRoutes(server),
  ...taskRoutes(server),
  ...nodeStatusRoutes(server, fingerprint),
]

const accessRoutes = (server: BackupServer): ApplianceRoute[] => [
  // `version` is major.minor only; `release` has the patch level.
  { path: '/version', answer: ({ appliance }) => versionOf(appliance.release) },
  { path: '/nodes', answer: ({ appliance }) => [{ node: appliance.name }] },
  {
    path: '/access/domains',
    open: true,
    answer: () => [
      { realm: 'pam', type: 'pam', comment: 'Linux PAM standard authentication' },
      { realm: 'pbs', type: 'pbs', comment: 'Proxmox Backup authentication server' },
    ],
  },
  {
    method: 'POST',
    path: '/access/ticket',
    open: true,
    query: {
      username: { required: 'string' },
      password: { required: 'string' },
      path: 'string',
      privs: 'string',
      port: 'integer',
      'tfa-challenge': 'string',
    },
    answer: signIn,
  },
  {
    path: '/access/permissions',
    query: { 'auth-id': 'string', path: 'string' },
    answer: (call) => permissions(server, call),
  },
]

function signIn({ appliance, params }: ApplianceCall) {
  const username = params.username!
  if (!/^[^\s:/@]+@[A-Za-z0-9._-]+$/.test(username)) {
    throw parameterError({ username: 'value does not match the regex pattern' })
  }
  const { account, renewing } = checkPassword(
    appliance,
    username,
    params.password!,
    'permission check failed.',
  )
  // Only the ticket shows that a second factor is required.
  if (account.secondFactor && !renewing) {
    const ticket = appliance.tickets.issueChallenge(username)
    return { username, ticket, CSRFPreventionToken: 'invalid' }
  }
  const { ticket, csrfToken } = appliance.tickets.issue(username)
  return { username, ticket, CSRFPreventionToken: csrfToken }
}

function permissions(server: BackupServer, { appliance, caller, params }: ApplianceCall) {
  const all = [...new Set(Object.values(appliance.product.roles).flat())]
  const stores = server.datastores.map(({ name }) => `/datastore/${name}`)
  const known = ['/', '/access', '/datastore', ...stores, '/remote', '/system', '/system/status']
  const paths = params.path === undefined ? known : [params.path]
  const granted = paths.map(
    (path) => [path, all.filter((name) => caller.may(name, path)).map((name) => [name, 1])] as const,
  )
  const some = granted.filter(([, privileges]) => privileges.length > 0)
  return Object.fromEntries(some.map(([path, privileges]) => [path, Object.fromEntries(privileges)]))
}

const gib = 1024 ** 3

const nodeStatusRoutes = (server: BackupServer, fingerprint: () => string): ApplianceRoute[] => [
  {
    path: '/nodes/{node}/status',
    needs: { privilege: 'Sys.Audit', path: '/system/status' },
    answer: ({ params, now }) => {
      checkNode(server, params.node!)
      return status(server, fingerprint(), now())
    },
  },
]

function status(
  { seed, cpus, memBytes, bootedAtMs, major }: BackupServer,
  fingerprint: string,
  nowMs: number,
) {
  const busy = dayCurve(nowMs, (seed % 628) / 100)
  const cpu = 0.02 + 0.2 * busy * noise(seed, nowMs)
  const used = Math.floor(memBytes * (0.18 + 0.1 * noise(seed ^ 1, nowMs)))
  const rootTotal = 100_861_726_720
  const rootUsed = Math.floor(rootTotal * (0.1 + 0.05 * noise(seed, 1)))
  const release = major === 4 ? '6.14.11-1-pve' : major === 3 ? '6.8.12-2-pve' : '5.15.158-2-pve'
  return {
    cpu,
    wait: 0.01 * noise(seed ^ 2, nowMs),
    uptime: Math.max(0, Math.floor((nowMs - bootedAtMs) / 1000)),
    loadavg: [1.1, 1, 0.9].map((factor) => Math.round(cpu * cpus * factor * 100) / 100),
    memory: { total: memBytes, used, free: memBytes - used },
    swap: { total: 8 * gib - 4096, used: 0, free: 8 * gib - 4096 },
    root: { total: rootTotal, used: rootUsed, avail: rootTotal - rootUsed - 5_164_343_296 },
    kversion: `Linux ${release} #1 SMP PREEMPT_DYNAMIC PMX ${release.replace('-pve', '')}`,
    cpuinfo: { model: 'Intel(R) N100', sockets: 1, cpus },
    info: { fingerprint: fingerprint.toLowerCase() },
    ...(major >= 3 && {
      'boot-info': { mode: 'efi', secureboot: false },
      'current-kernel': {
        sysname: 'Linux',
        release,
        version: `#1 SMP PREEMPT_DYNAMIC PMX ${release.replace('-pve', '')}`,
        machine: 'x86_64',
      },
    }),
  }
}
