import { versionOf } from '../api/version.ts'
import type { ApplianceCall, ApplianceRoute } from '../appliance/appliance.ts'
import { checkPassword } from '../appliance/accounts.ts'
import type { MailGateway } from './gateway.ts'
import { memberRoutes } from './members.ts'
import { quarantineRoutes } from './quarantine.ts'
import { queueRoutes } from './queues.ts'
import { statisticsRoutes } from './statistics.ts'

export const pmgRoutes = (gateway: MailGateway): ApplianceRoute[] => [
  ...accessRoutes,
  ...memberRoutes(gateway),
  ...statisticsRoutes(gateway),
  ...quarantineRoutes(gateway),
  ...queueRoutes(gateway),
]

const accessRoutes: ApplianceRoute[] = [
  { path: '/version', answer: ({ appliance }) => versionOf(appliance.release) },
  {
    path: '/access/auth-realm',
    since: 8,
    open: true,
    answer: () => [
      { realm: 'pam', type: 'pam', comment: 'Linux PAM standard authentication' },
      { realm: 'pmg', type: 'pmg', comment: 'Proxmox Mail Gateway authentication server', default: 1 },
    ],
  },
  { path: '/access/ticket', open: true, answer: () => null },
  {
    method: 'POST',
    path: '/access/ticket',
    open: true,
    query: {
      username: { required: 'string' },
      password: { required: 'string' },
      realm: 'string',
      otp: 'string',
      path: 'string',
      'tfa-challenge': 'string',
    },
    answer: signIn,
  },
]

function signIn({ appliance, params }: ApplianceCall) {
  const username = params.realm ? `${params.username}@${params.realm}` : params.username!
  const { account, renewing } = checkPassword(appliance, username, params.password!, 'authentication failure')
  const { ticket, csrfToken } = appliance.tickets.issue(username)
  const common = { username, CSRFPreventionToken: csrfToken }
  if (account.secondFactor && !renewing) {
    return { ...common, ticket: appliance.tickets.issueChallenge(username), NeedTFA: 1 }
  }
  return { ...common, ticket, role: account.role }
}
