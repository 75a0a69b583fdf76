import type { LoginInput } from '@pulse/contract'
import { AppError } from '../app-error.ts'
import type { Caller } from '../auth/caller.ts'
import type { SignIn } from '../auth/sign-in.ts'
import type { Users } from '../auth/users.ts'
import type { Cluster } from '../cluster/cluster.ts'
import { type BasicQuestion, basicCheck, resultOf } from '../http/led-calls.ts'

interface LedBasicEdges {
  signIn: Pick<SignIn, 'checkBasic'>
  users: Pick<Users, 'get'>
  cluster: Pick<Cluster, 'isLeading' | 'checkLead' | 'ask'>
  /** Reads again what other processes have changed. */
  readAgain: () => Promise<void>
}

/**
 * Guesses are counted by the process that leads, wherever they arrive: each process with a count of its own would allow as
 * many guesses again. Nothing is remembered here, because a lock holds at once.
 */
export function ledBasic({ signIn, users, cluster, readAgain }: LedBasicEdges): SignIn['checkBasic'] {
  return async function checkBasic(input: LoginInput, caller: Caller) {
    await cluster.checkLead()
    if (cluster.isLeading) return signIn.checkBasic(input, caller)
    const question: BasicQuestion = { call: basicCheck, caller, body: input }
    const id = resultOf(await cluster.ask(question)) as string
    // a user of another process may be newer than what this one has read
    if (!users.get(id)) await readAgain()
    const user = users.get(id)
    if (!user) throw new AppError('invalid_credentials', 'The user was removed during the sign-in.')
    return user
  }
}
