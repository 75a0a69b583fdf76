import { checkPassword } from '../appliance/accounts.ts'
import type { ApplianceCall, ApplianceRoute } from '../appliance/appliance.ts'
import { versionOf } from '../api/version.ts'
import { parameterError } from '../api/api-error.ts'
import { datastoreRoutes } from './datastores.ts'
import { garbageRoutes } from './garbage.ts'
import { jobRoutes } from './jobs.ts'
import { nodeStatusRoutes } from './node-status.ts'
import type { BackupServer } from './vault.ts'
import { snapshotRoutes } from './snapshots.ts'
import { taskRoutes } from './tasks.ts'

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
  // `version` is major.minor only, the patch level is in `release`.
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
  // That a second factor is wanted shows in the ticket alone.
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
