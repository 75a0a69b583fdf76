import { sameText } from '../access/tickets.ts'
import { ApiError } from '../api/api-error.ts'
import { hash, seededUuid } from '../random.ts'
import type { Account, Appliance, ApplianceToken, Caller, Product } from './appliance.ts'

export interface Login {
  user: string
  password: string
}

/** The same seed gives the same secrets, which differ between machines. */
export function secretsOf(seed: number, machine: string) {
  const secret = (name: string) => seededUuid(hash(`${seed}/${machine}/secret/${name}`))
  return { secret, password: (name: string) => `lab-${secret(name).slice(0, 8)}` }
}

export const anAccount = (userId: string, role: string, given: Partial<Account> = {}): Account => ({
  userId,
  role,
  password: undefined,
  secondFactor: false,
  ...given,
})

/** A token has the rights that both it and its user have. */
export function callerWith(product: Product, account: Account, token?: ApplianceToken): Caller {
  const sources = [account, ...(token ? [token] : [])].map(({ role, path = '/' }) => ({
    granted: product.roles[role] ?? [],
    path,
  }))
  const dropped = [...(token?.dropped ?? [])].map((entry) => entry.split('@') as [string, string?])
  const isDropped = (privilege: string, path: string) =>
    dropped.some(([name, below = '/']) => (name === '*' || name === privilege) && isAtOrBelow(path, below))
  return {
    userId: token?.tokenId ?? account.userId,
    may: (privilege, path = '/') =>
      sources.every(({ granted, path: top }) => granted.includes(privilege) && isAtOrBelow(path, top)) &&
      !isDropped(privilege, path),
  }
}

const isAtOrBelow = (path: string, top: string): boolean =>
  top === '/' || path === top || path.startsWith(`${top}/`)

/** A ticket is accepted in place of the password, so clients can renew it. Refuses with `text`. */
export function checkPassword(
  { accounts, tickets }: Appliance,
  userId: string,
  password: string,
  refusal: string,
): { account: Account; renewing: boolean } {
  const account = accounts.get(userId)
  const renewing = account !== undefined && tickets.verify(password) === userId
  const known = account?.password !== undefined && sameText(account.password, password)
  if (!account || !(renewing || known)) throw new ApiError(401, refusal)
  return { account, renewing }
}
