interface ProgressBarProps {
  /** 0-100; undefined while the total is unknown */
  percent: number | undefined
  label: string
}

/** Progress of a task. Only a transform changes. */
export function ProgressBar({ percent, label }: ProgressBarProps) {
  const known = percent === undefined ? undefined : Math.min(100, Math.max(0, percent))
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      {...(known !== undefined && { 'aria-valuenow': Math.round(known) })}
      className="usage-track"
    >
      <div
        className={known === undefined ? 'usage-fill animate-pulse' : 'usage-fill'}
        style={{
          ['--fill' as string]: 'var(--accent-fill)',
          ...(known !== undefined && { transform: `translateX(${known - 100}%)` }),
        }}
      />
    </div>
  )
}
