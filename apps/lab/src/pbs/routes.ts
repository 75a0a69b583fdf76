import { checkPassword } from '../appliance/accounts.ts'
import type { ApplianceCall, ApplianceRoute } from '../appliance/appliance.ts'
import { versionOf } from '../api/version.ts'
import { parameterError } from '../api/api-error.ts'

/** What every backup server of the lab has. */
const datastores = ['main', 'offsite']

export const pbsRoutes: readonly ApplianceRoute[] = [
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
  { path: '/access/permissions', query: { 'auth-id': 'string', path: 'string' }, answer: permissions },
  {
    path: '/admin/datastore',
    answer: ({ caller }) =>
      caller.may('Datastore.Audit') ? datastores.map((store) => ({ store, comment: null })) : [],
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

function permissions({ appliance, caller }: ApplianceCall) {
  const all = [...new Set(Object.values(appliance.product.roles).flat())]
  const granted = Object.fromEntries(all.filter(caller.may).map((name) => [name, 1]))
  const paths = ['/', '/access', '/datastore', '/remote', '/system', '/system/status']
  return Object.keys(granted).length > 0 ? Object.fromEntries(paths.map((path) => [path, granted])) : {}
}
