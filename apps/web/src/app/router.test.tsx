// @vitest-environment happy-dom
import { expect, test, vi } from 'vitest'
import { createAppRouter } from './router.tsx'
import { pages } from './routes.ts'

test('[M 3.4] a link on a page of now is not looked up among the pages', () => {
  const table = [...pages]
  const router = createAppRouter(table)
  const looked = vi.spyOn(table, 'find')
  expect(router.hrefOf('/docker?host=a')).toBe('/docker?host=a')
  expect(looked).not.toHaveBeenCalled()
})
