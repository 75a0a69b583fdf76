import { beforeAll } from 'vitest'
import { within } from '../../../scripts/test-limits.ts'

// Runs before every test file; only those with a page need it.
beforeAll(async () => {
  if (!('document' in globalThis)) return
  const { configure } = await import('@testing-library/react')
  // a limit for what never comes, not for how long a busy machine takes
  configure({ asyncUtilTimeout: within(30_000) })
})
