/** The colours of controls; their meaning is up to the caller. */
export type UiTone = 'neutral' | 'accent' | 'green' | 'yellow' | 'orange' | 'red'

export const toneText: Record<UiTone, string> = {
  neutral: 'text-ink-2',
  accent: 'text-accent',
  green: 'text-green',
  yellow: 'text-yellow',
  orange: 'text-orange',
  red: 'text-red',
}

export const toneSoft: Record<UiTone, string> = {
  neutral: 'bg-hover',
  accent: 'bg-accent-soft',
  green: 'bg-green-soft',
  yellow: 'bg-yellow-soft',
  orange: 'bg-orange-soft',
  red: 'bg-red-soft',
}

export const toneFill: Record<UiTone, string> = {
  neutral: 'var(--bar)',
  accent: 'var(--accent-fill)',
  green: 'var(--green-fill)',
  yellow: 'var(--yellow-fill)',
  orange: 'var(--orange-fill)',
  red: 'var(--red-fill)',
}
