import { lazyPart } from '../../ui/code/lazy-part.tsx'
import type { ChangesProps } from './changes-view.tsx'

/** What happened to a thing. Its code loads with the first page that shows one. */
export const ChangesCard = lazyPart<ChangesProps>(
  'Changes',
  async () => ({ default: (await import('./changes-view.tsx')).ChangesView }),
  { fallback: () => <div className="h-24" /> },
)
