import { minPassphraseLength } from '@pulse/contract'
import { AppError } from '../app-error.ts'
import type { Caller } from '../auth/caller.ts'
import type { Principal } from '../auth/principal.ts'
import type { SignIn } from '../auth/sign-in.ts'
import type { Users } from '../auth/users.ts'

export const isLongEnough = (passphrase: string): boolean =>
  [...passphrase.normalize('NFC')].length >= minPassphraseLength

/**
 * Requires twelve characters, or the caller's own login password of any length. An attempt counts as a
 * sign-in attempt, so that passwords cannot be guessed here.
 */
export async function requirePassphrase(
  { passphrase, isLoginPassword = false }: { passphrase: string; isLoginPassword?: boolean | undefined },
  { principal, caller }: { principal: Principal; caller: Caller },
  { users, signIn }: { users: Pick<Users, 'get'>; signIn: Pick<SignIn, 'check'> },
): Promise<void> {
  if (!isLoginPassword && isLongEnough(passphrase)) return
  const user = principal.userId === undefined ? undefined : users.get(principal.userId)
  if (!user || user.source === 'oidc') throw tooShort()
  try {
    await signIn.check({ username: user.name, password: passphrase }, caller, 'login')
  } catch (error) {
    // status 401 would end the session in the browser
    const isWrong = error instanceof AppError && error.code === 'invalid_credentials'
    if (isWrong) throw isLoginPassword ? notYours() : tooShort()
    throw error
  }
}

const notYours = () => new AppError('invalid_password', 'This is not your login password.')

const tooShort = () =>
  new AppError(
    'passphrase_too_short',
    `The passphrase must have at least ${minPassphraseLength} characters, or be your login password.`,
  )
