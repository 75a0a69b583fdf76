import { expect, test } from 'vitest'
import { containerName } from './container-name.ts'

test('[spec 1 §2] a container without a name is called by the first 12 characters of its id', () => {
  const id = '0123456789abcdef'
  expect(containerName({ name: 'web', id })).toBe('web')
  expect(containerName({ name: '', id })).toBe('0123456789ab')
})
