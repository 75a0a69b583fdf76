import type { Area } from '../area.ts'
import type { Mask } from '../masking/mask.ts'

/** In demo mode, names of connections that have not answered yet are masked too. */
export const demoArea = (
  mask: Mask | undefined,
  connections: { list(): readonly { name: string }[] },
): Area => ({
  name: 'the demonstration',
  start() {
    for (const { name } of connections.list()) mask?.learn(name)
  },
})
