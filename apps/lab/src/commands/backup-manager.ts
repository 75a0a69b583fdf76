import { addLine, dropLine, type HostAccounts, removeUser, tokensOf } from './accounts.ts'
import { type Command, type Parsed, printed, printedJson, refused } from './answer.ts'
import { runVerb } from './pveum.ts'

/** The subset of `proxmox-backup-manager` that a setup script needs. */
export function backupManager(
  accounts: HostAccounts,
  { version, fingerprint }: { version: string; fingerprint: string },
  newSecret: (tokenId: string) => string,
): Command {
  const exists = (who: string) => accounts.users.has(who) || accounts.tokens.has(who)
  const verbs: Record<string, [options: string[], run: (parsed: Parsed) => ReturnType<Command>]> = {
    versions: [[], () => printed(`proxmox-backup-server ${version}-1 running version: ${version}\n`)],
    'cert info': [
      [],
      () =>
        printed(
          `Subject: /CN=pbs\nIssuer: /CN=Proxmox\nFingerprint (sha256): ${fingerprint.toLowerCase()}\nPublic key bits: 4096\n`,
        ),
    ],
    'user list': [
      ['output-format'],
      () => printedJson([...accounts.users].map((userid) => ({ enable: true, expire: 0, userid }))),
    ],
    'user create': [
      ['comment'],
      ({ words: [user = ''] }) => {
        if (accounts.users.has(user)) return refused(`Error: user '${user}' already exists.`)
        accounts.users.add(user)
        return printed()
      },
    ],
    'user remove': [
      [],
      ({ words: [user = ''] }) => {
        if (!accounts.users.has(user)) return refused(`Error: user '${user}' does not exist.`)
        removeUser(accounts, user)
        return printed()
      },
    ],
    'user list-tokens': [
      ['output-format'],
      ({ words: [user = ''] }) =>
        accounts.users.has(user)
          ? printedJson(tokensOf(accounts, user).map((tokenid) => ({ enable: true, tokenid })))
          : refused(`Error: user '${user}' does not exist.`),
    ],
    'user generate-token': [
      ['comment'],
      ({ words: [user = '', name = ''] }) => {
        const tokenid = `${user}!${name}`
        if (!accounts.users.has(user)) return refused(`Error: user '${user}' does not exist.`)
        if (accounts.tokens.has(tokenid))
          return refused(`Error: token '${name}' for user '${user}' already exists.`)
        const value = newSecret(tokenid)
        accounts.tokens.set(tokenid, value)
        return printed(`Result: ${JSON.stringify({ tokenid, value }, null, 2)}\n`)
      },
    ],
    'user delete-token': [
      [],
      ({ words: [user = '', name = ''] }) =>
        accounts.tokens.delete(`${user}!${name}`)
          ? printed()
          : refused(`Error: token '${name}' of user '${user}' does not exist.`),
    ],
    'acl list': [
      ['output-format'],
      () =>
        printedJson(
          accounts.acl.map(({ path, role, who }) => ({
            path,
            propagate: true,
            roleid: role,
            ugid: who,
            ugid_type: 'user',
          })),
        ),
    ],
    'acl update': [
      ['auth-id', 'delete', 'propagate'],
      ({ words: [path = '', role = ''], options }) => {
        const who = options.get('auth-id') ?? ''
        const isRemoval = options.get('delete') === 'true'
        if (!isRemoval && !exists(who))
          return refused(`Error: no such ${who.includes('!') ? 'API token' : 'user'}.`)
        if (!accounts.roles.has(role))
          return refused(
            `Error: parameter verification failed - 'role': value '${role}' is not defined in the enumeration.`,
          )
        if (isRemoval) dropLine(accounts, { path, role, who })
        else addLine(accounts, { path, role, who })
        return printed()
      },
    ],
  }
  return (args) => runVerb(verbs, args, 'proxmox-backup-manager')
}
