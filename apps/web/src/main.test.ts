// @vitest-environment happy-dom
import { expect, test, vi } from 'vitest'

test('[spec 1 §8] a missing root element is logged', async () => {
  const error = vi.spyOn(console, 'error').mockImplementation(() => {})
  await import('./main.tsx')
  expect(error).toHaveBeenCalledWith('Root element not found: nothing can be shown')
})
