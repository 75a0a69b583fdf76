import { afterAll, beforeAll, expect, vi } from 'vitest'
import { within } from '../../../scripts/test-limits.ts'

type Descriptors = Record<PropertyKey, PropertyDescriptor>

// Runs before every test file, although only those with a page need it.
const hasPage = 'document' in globalThis
const hosts = (): object[] => [
  navigator,
  document,
  location,
  HTMLElement.prototype,
  HTMLAnchorElement.prototype,
]
const asFound: Descriptors[] = hasPage ? hosts().map((host) => Object.getOwnPropertyDescriptors(host)) : []

beforeAll(async () => {
  if (!hasPage) return
  const { configure } = await import('@testing-library/react')
  // a limit for events that never come; long enough for a busy machine
  configure({ asyncUtilTimeout: within(30_000) })
})

// Each file gets its own queues and caches of the browser's modules. Packages stay loaded.
afterAll(() => {
  if (expect.getState().testPath?.includes('/apps/web/')) vi.resetModules()
})

// The next file of this process gets the same window.
afterAll(async () => {
  if (!hasPage) return
  const { cleanup } = await import('@testing-library/react')
  cleanup()
  for (const [index, host] of hosts().entries()) putBack(host, asFound[index]!)
  localStorage.clear()
  sessionStorage.clear()
  history.replaceState(null, '', '/')
  for (const name of document.documentElement.getAttributeNames())
    document.documentElement.removeAttribute(name)
  for (const part of [document.head, document.body]) part.replaceChildren()
})

function putBack(host: object, found: Descriptors): void {
  for (const [name, { configurable }] of Object.entries(Object.getOwnPropertyDescriptors(host)))
    if (configurable && !Object.hasOwn(found, name)) Reflect.deleteProperty(host, name)
  for (const [name, property] of Object.entries(found))
    if (property.configurable) Object.defineProperty(host, name, property)
}
