import { dropOf, rightsOf } from '../access/access.ts'
import type { Access, Rights } from '../access/access.ts'
import { ApiError } from '../api/api-error.ts'
import { versionOf } from '../api/version.ts'
import type { Call, Route } from './route.ts'
import { sameText } from '../access/tickets.ts'

/** Paths that PVE lists even if no ACL entry names them. */
const usualPaths = ['/', '/access', '/access/groups', '/nodes', '/pool', '/sdn', '/storage', '/vms']

export const accessRoutes: readonly Route[] = [
  { path: '/version', answer: ({ cluster }) => versionOf(cluster.release) },
  {
    path: '/access/domains',
    open: true,
    answer: () => [
      { realm: 'pam', type: 'pam', comment: 'Linux PAM standard authentication' },
      { realm: 'pve', type: 'pve', comment: 'Proxmox VE authentication server' },
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
      privs: 'string',
      'new-format': 'boolean',
      'tfa-challenge': 'string',
    },
    answer: signIn,
  },
  { path: '/access/permissions', query: { path: 'string', userid: 'string' }, answer: permissions },
]

function signIn({ world, cluster, params }: Call) {
  const { access } = cluster
  const tickets = world.tickets.get(cluster)!
  const userId = params.realm ? `${params.username}@${params.realm}` : params.username!
  const user = access.users.get(userId)
  const renewing = user !== undefined && tickets.verify(params.password!) === userId
  if (!user || (!renewing && !(user.password !== undefined && sameText(user.password, params.password!)))) {
    throw new ApiError(401, 'authentication failure')
  }
  const { ticket, csrfToken } = tickets.issue(userId)
  const rights = rightsOf(access, { userId, token: undefined })
  const named = !cluster.standalone && rights.has('/', 'Sys.Audit')
  const common = {
    username: userId,
    CSRFPreventionToken: csrfToken,
    ...(named && { clustername: cluster.name }),
  }
  if (user.secondFactor && !renewing) return { ...common, ticket: tickets.issueChallenge(userId), NeedTFA: 1 }
  return { ...common, ticket, cap: capabilities(rights) }
}

/** The rights that the web interface needs, by area. */
function capabilities(rights: Rights) {
  const area = (path: string, prefix: RegExp) =>
    Object.fromEntries([...rights.at(path)].filter((name) => prefix.test(name)).map((name) => [name, 1]))
  return {
    vms: area('/vms', /^VM\./),
    storage: area('/storage', /^Datastore\./),
    nodes: area('/nodes', /^Sys\./),
    access: area('/access', /^(User|Group|Realm|Permissions)\./),
    dc: area('/', /^(Sys\.Audit|Sys\.Modify|SDN\.)/),
    sdn: area('/sdn', /^SDN\./),
    mapping: area('/mapping', /^Mapping\./),
  }
}

function permissions({ cluster, caller, rights, params }: Call) {
  const { access } = cluster
  const self = caller.token?.tokenId ?? caller.userId
  const asked = params.userid ?? self
  if (asked !== self && asked.split('!')[0] !== self && !rights.has('/access', 'Sys.Audit')) {
    throw new ApiError(403, 'Permission check failed (/access, Sys.Audit)')
  }
  const subject = asked === self ? rights : rightsFor(access, asked)
  const dropped = [...(caller.token?.dropped ?? [])]
  const paths = params.path
    ? [params.path]
    : [
        ...new Set([
          ...usualPaths,
          ...access.acl.map(({ path }) => path),
          ...dropped.map((one) => dropOf(one).path),
        ]),
      ]
  const entries = paths.map((path) => [path, asFlags(subject, path)] as const)
  return Object.fromEntries(entries.filter(([, flags]) => Object.keys(flags).length > 0))
}

function rightsFor(access: Access, who: string): Rights {
  const [userId = '', name] = who.split('!')
  return rightsOf(access, { userId, token: name === undefined ? undefined : access.tokens.get(who) })
}

const asFlags = (rights: Rights, path: string) =>
  Object.fromEntries([...rights.at(path)].map((name) => [name, 1]))
