import type { ReactNode } from 'react'
import { LogoMark } from './logo.tsx'
import { LocalThemeToggle } from './theme.tsx'

/** While the startup check runs. Appears late, so that a quick start shows nothing at all. */
export function LoadingScreen({ text = 'Loading...' }: { text?: string }) {
  return (
    <output className="late flex min-h-dvh flex-col items-center justify-center gap-3">
      <LogoMark size={36} />
      <p className="text-table text-ink-2">{text}</p>
    </output>
  )
}

/** Inside the frame, while a page's own code is on its way. */
export function Initializing() {
  return <output className="late block py-16 text-center text-table text-ink-2">Initializing...</output>
}

/** What stands before the frame: one card in the middle, and the theme within reach. */
export function EntryScreen({ children }: { children: ReactNode }) {
  return (
    <main className="relative flex min-h-dvh flex-col items-center justify-center px-4 py-14">
      <div className="absolute top-3 right-3">
        <LocalThemeToggle />
      </div>
      <div className="mb-5 flex items-center gap-2.5">
        <LogoMark size={32} />
        <span className="text-lg font-semibold tracking-tight">Pulse</span>
      </div>
      {children}
    </main>
  )
}
