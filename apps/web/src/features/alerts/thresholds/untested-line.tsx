/** In the place of a back-test that cannot be made. */
export const UntestedLine = ({ why }: { why: string }) => (
  <p role="status" className="px-3 py-2 text-xs text-ink-2">
    {`Cannot be back-tested: ${why}.`}
  </p>
)
