import { allPrivileges } from '../access/roles.ts'
import type { PveMajor } from '../options.ts'
import { addLine, dropLine, type HostAccounts, removeUser, tokensOf } from './accounts.ts'
import { type Command, type Parsed, parse, printed, printedJson, refused, UsageError } from './answer.ts'

/** The subset of pveum, the account tool of Proxmox VE, that a setup script needs. */
export function pveum(
  accounts: HostAccounts,
  major: PveMajor,
  newSecret: (tokenId: string) => string,
): Command {
  const verbs: Record<string, [options: string[], run: (parsed: Parsed) => ReturnType<Command>]> = {
    'user list': [
      ['output-format'],
      () =>
        printedJson(
          [...accounts.users].map((userid) => ({ userid, enable: 1, expire: 0, 'realm-type': 'pam' })),
        ),
    ],
    'user add': [
      ['comment'],
      ({ words: [user = ''] }) => {
        if (!/^[^\s:/]+@[A-Za-z][\w.-]+$/.test(user))
          return refused('400 Parameter verification failed.\nuserid: invalid format')
        if (accounts.users.has(user)) return refused(`create user failed: user '${user}' already exists`)
        accounts.users.add(user)
        return printed()
      },
    ],
    'user delete': [
      [],
      ({ words: [user = ''] }) => {
        if (!accounts.users.has(user)) return refused(`delete user failed: no such user ('${user}')`)
        removeUser(accounts, user)
        return printed()
      },
    ],
    'user token list': [
      ['output-format'],
      ({ words: [user = ''] }) => {
        if (!accounts.users.has(user)) return refused(`no such user ('${user}')`)
        return printedJson(
          tokensOf(accounts, user).map((id) => ({ tokenid: id.split('!')[1], privsep: 0, expire: 0 })),
        )
      },
    ],
    'user token add': [
      ['privsep', 'comment', 'output-format'],
      ({ words: [user = '', name = ''], options }) => {
        const id = `${user}!${name}`
        if (!/^[A-Za-z][\w.-]+$/.test(name))
          return refused('400 Parameter verification failed.\ntokenid: invalid format')
        if (!accounts.users.has(user)) return refused(`no such user ('${user}')`)
        if (accounts.tokens.has(id)) return refused('Token already exists.')
        const value = newSecret(id)
        accounts.tokens.set(id, value)
        return printedJson({ 'full-tokenid': id, info: { privsep: options.get('privsep') ?? '1' }, value })
      },
    ],
    'user token remove': [
      [],
      ({ words: [user = '', name = ''] }) =>
        accounts.tokens.delete(`${user}!${name}`)
          ? printed()
          : refused(`no such token '${name}' for user '${user}'`),
    ],
    'role list': [
      ['output-format'],
      () =>
        printedJson(
          [...accounts.roles].map(([roleid, privs]) => ({
            privs: privs.join(','),
            roleid,
            special: roleid.startsWith('PVE') ? 1 : 0,
          })),
        ),
    ],
    'role add': [
      ['privs'],
      ({ words: [role = ''], options }) => {
        if (accounts.roles.has(role)) return refused(`create role failed: role '${role}' already exists`)
        return setRole(role, options)
      },
    ],
    'role modify': [
      ['privs'],
      ({ words: [role = ''], options }) =>
        accounts.roles.has(role)
          ? setRole(role, options)
          : refused(`modify role failed: role '${role}' does not exist`),
    ],
    'role delete': [
      [],
      ({ words: [role = ''] }) =>
        accounts.roles.delete(role)
          ? printed()
          : refused(`delete role failed: role '${role}' does not exist`),
    ],
    'acl list': [
      ['output-format'],
      () =>
        printedJson(
          accounts.acl.map(({ path, role, who }) => ({
            path,
            propagate: 1,
            roleid: role,
            type: who.includes('!') ? 'token' : 'user',
            ugid: who,
          })),
        ),
    ],
    'acl modify': [
      ['users', 'roles'],
      ({ words: [path = ''], options }) => {
        const [who, role] = [options.get('users') ?? '', options.get('roles') ?? '']
        if (!accounts.users.has(who))
          return refused(`400 Parameter verification failed.\nusers: no such user ('${who}')`)
        if (!accounts.roles.has(role)) return refused(`role '${role}' does not exist`)
        addLine(accounts, { path, role, who })
        return printed()
      },
    ],
    'acl delete': [
      ['users', 'roles'],
      ({ words: [path = ''], options }) => {
        dropLine(accounts, { path, role: options.get('roles') ?? '', who: options.get('users') ?? '' })
        return printed()
      },
    ],
  }

  function setRole(role: string, options: Map<string, string>) {
    const privileges = (options.get('privs') ?? '').split(',')
    const unknown = privileges.find((one) => !allPrivileges(major).includes(one))
    if (unknown !== undefined)
      return refused(`400 Parameter verification failed.\nprivs: invalid privilege '${unknown}'`)
    accounts.roles.set(role, privileges)
    return printed()
  }

  return (args) => runVerb(verbs, args, 'pveum')
}

export function runVerb(
  verbs: Record<string, [options: string[], run: (parsed: Parsed) => ReturnType<Command>]>,
  args: readonly string[],
  name: string,
): ReturnType<Command> {
  for (const length of [3, 2, 1]) {
    const verb = verbs[args.slice(0, length).join(' ')]
    if (!verb || args.length < length) continue
    try {
      return verb[1](parse(args.slice(length), verb[0]))
    } catch (error) {
      if (error instanceof UsageError) return refused(`400 unable to parse option\n${error.message}`)
      throw error
    }
  }
  return refused(`ERROR: unknown command '${name} ${args.join(' ')}'`)
}
