import type { Role, User } from '@pulse/contract'
import type { Credentials } from '../estate.ts'
import type { Given } from '../journey.ts'

export type Person = Credentials & Pick<User, 'id'>

/** A user with an account that an administrator has created. */
export async function addPerson({ estate }: Given, name: string, role: Role): Promise<Person> {
  const credentials = { username: name, password: `password of ${name}` }
  const body = { name, password: credentials.password, role }
  const { id } = (await estate.call('POST', '/api/security/users', body)) as User
  return { ...credentials, id }
}
