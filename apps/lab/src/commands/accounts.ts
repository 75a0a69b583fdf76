/** Users, tokens, roles and rights of one host, as its commands change them. */
export interface HostAccounts {
  users: Set<string>
  /** secret by `user@realm!name` */
  tokens: Map<string, string>
  /** privileges by role */
  roles: Map<string, readonly string[]>
  acl: AclLine[]
}

export interface AclLine {
  path: string
  role: string
  who: string
}

export const tokensOf = ({ tokens }: HostAccounts, user: string): string[] =>
  [...tokens.keys()].filter((id) => id.startsWith(`${user}!`))

export function removeUser(accounts: HostAccounts, user: string): void {
  accounts.users.delete(user)
  for (const id of tokensOf(accounts, user)) accounts.tokens.delete(id)
  accounts.acl = accounts.acl.filter(({ who }) => who !== user && !who.startsWith(`${user}!`))
}

export function addLine(accounts: HostAccounts, line: AclLine): void {
  dropLine(accounts, line)
  accounts.acl.push(line)
}

export function dropLine(accounts: HostAccounts, { path, role, who }: AclLine): void {
  accounts.acl = accounts.acl.filter((one) => one.path !== path || one.role !== role || one.who !== who)
}
