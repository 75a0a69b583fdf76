import {
  defaultPorts,
  type DiscoveredServer,
  type MonitorFlag,
  monitorFlags,
  type NodeConfig,
  type NodeInput,
  type SourceKind,
} from '@pulse/contract'
import { mayKeepSecret, nodeDestination } from '@pulse/domain'

/** What the dialog edits: a stored node, a discovered server, or a new node. */
export interface NodeDialogSubject {
  node?: NodeConfig
  server?: DiscoveredServer
}

type AuthType = 'token' | 'password'
export type NodeFlags = Partial<Record<MonitorFlag, boolean>>

export interface NodeForm {
  name: string
  host: string
  authType: AuthType
  user: string
  password: string
  tokenName: string
  tokenValue: string
  fingerprint: string
  verifySSL: boolean
  /** undefined: unchanged */
  site: string | undefined
  flags: NodeFlags
}

const blank = {
  name: '',
  host: '',
  user: '',
  password: '',
  tokenName: '',
  tokenValue: '',
  fingerprint: '',
} as const

export function newForm(kind: SourceKind): NodeForm {
  return {
    ...blank,
    // mail gateways have no API tokens
    authType: kind === 'pmg' ? 'password' : 'token',
    verifySSL: true,
    site: undefined,
    flags: { ...monitorFlags[kind] },
  }
}

/** Discovered servers have self-signed certificates; all monitoring starts enabled except physical disks. */
export function formOfServer({ type, ip, port, hostname }: DiscoveredServer): NodeForm {
  const on = Object.keys(monitorFlags[type]).map((flag) => [flag, flag !== 'monitorPhysicalDisks'])
  return {
    ...newForm(type),
    name: hostname ?? '',
    host: addressOf({ ip, port }),
    verifySSL: false,
    flags: Object.fromEntries(on) as NodeFlags,
  }
}

export function formOfNode(node: NodeConfig): NodeForm {
  const flags = flagNames(node.type).map((flag) => [flag, node[flag] ?? false])
  return {
    ...blank,
    name: node.name,
    host: node.host,
    authType: node.hasToken ? 'token' : 'password',
    user: node.user ?? '',
    tokenName: node.tokenName ?? '',
    fingerprint: node.fingerprint ?? '',
    verifySSL: node.verifySSL,
    site: node.site,
    flags: Object.fromEntries(flags) as NodeFlags,
  }
}

/** Omits a blank secret, so that the server keeps the stored one. */
export function toInput(kind: SourceKind, form: NodeForm): NodeInput {
  const { authType, password, tokenValue } = form
  const name = form.name.trim()
  return {
    type: kind,
    ...(name && { name }),
    host: form.host.trim(),
    fingerprint: form.fingerprint.trim(),
    verifySSL: form.verifySSL,
    ...(form.site !== undefined && { site: form.site.trim() }),
    ...(authType === 'password'
      ? { user: form.user.trim(), ...(password && { password }) }
      : { tokenName: form.tokenName.trim(), ...(tokenValue && { tokenValue }) }),
    ...form.flags,
  }
}

export type NodeField = 'host' | 'user' | 'password' | 'tokenName' | 'tokenValue'
export type NodeProblems = Partial<Record<NodeField, string>>

/** Missing fields. A stored secret may stay blank while its destination is unchanged. */
export function nodeProblems(form: NodeForm, stored?: NodeConfig): NodeProblems {
  return { ...(!form.host.trim() && { host: 'Host is required' }), ...credentialProblem(form, stored) }
}

/** Address or certificate check differ from those the stored secret was saved with. */
export function isMoved(form: NodeForm, stored: NodeConfig): boolean {
  const host = normalAddress(form.host, stored.type) ?? form.host.trim()
  return host !== '' && !mayKeepSecret(nodeDestination(stored), nodeDestination({ ...form, host }))
}

const again = (what: string) =>
  `Re-enter the ${what}: the address or certificate setting changed, and Pulse never sends a saved secret to a different destination.`

function credentialProblem(form: NodeForm, stored: NodeConfig | undefined): NodeProblems {
  if (form.authType === 'password') {
    if (stored?.hasPassword) {
      if (!form.user.trim()) return { user: 'Username is required' }
      return !form.password && isMoved(form, stored) ? { password: again('password') } : {}
    }
    const message = 'Username and password are required'
    if (!form.user.trim()) return { user: message }
    return form.password ? {} : { password: message }
  }
  if (stored?.hasToken) {
    if (!form.tokenName.trim()) return { tokenName: 'Token ID is required' }
    return !form.tokenValue.trim() && isMoved(form, stored) ? { tokenValue: again('token value') } : {}
  }
  const message = 'Token ID and token value are required'
  if (!form.tokenName.trim()) return { tokenName: message }
  return form.tokenValue.trim() ? {} : { tokenValue: message }
}

/** The active fields contain a new secret. */
export const hasNewSecret = ({ authType, password, tokenValue }: NodeForm): boolean =>
  (authType === 'password' ? password : tokenValue.trim()) !== ''

/** The form differs from the stored node. */
export function isChanged(form: NodeForm, stored: NodeConfig): boolean {
  return (
    JSON.stringify(toInput(stored.type, form)) !== JSON.stringify(toInput(stored.type, formOfNode(stored)))
  )
}

const flagNames = (kind: SourceKind) => Object.keys(monitorFlags[kind]) as MonitorFlag[]

export const addressOf = ({ ip, port }: { ip: string; port: number }): string =>
  `https://${ip.includes(':') ? `[${ip}]` : ip}:${port}`

/** The address in the server's stored form, for comparison; undefined if invalid. */
export function normalAddress(host: string, kind: SourceKind): string | undefined {
  const text = host.trim()
  const url = URL.parse(/^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `https://${text}`)
  if (!url?.hostname) return undefined
  const written = /:(\d+)(?:[/?#]|$)/.exec(text.replace(/^[a-z]+:\/\/(\[[^\]]*\])?/i, ''))?.[1]
  return `https://${url.hostname}:${written ?? defaultPorts[kind]}`
}
