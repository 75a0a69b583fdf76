import type { ReactNode } from 'react'
import { LogoMark } from './logo.tsx'
import { LocalThemeToggle } from './theme.tsx'

/** Shown during the startup check after a delay, so that a quick start shows nothing. */
export function LoadingScreen({ text = 'Loading...' }: { text?: string }) {
  return (
    <output className="delayed flex min-h-dvh flex-col items-center justify-center gap-3">
      <LogoMark size={36} />
      <p className="text-table text-ink-2">{text}</p>
    </output>
  )
}

/** Shown in the shell while a page's code loads. */
export function Initializing() {
  return <output className="delayed block py-16 text-center text-table text-ink-2">Initializing...</output>
}

/** A screen outside the shell: one card and the theme button. */
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
