export function BrandMark({ size = 26 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" fill="none" aria-hidden="true">
      <rect width="32" height="32" rx="8" fill="#2f4fd0" />
      <path
        d="M8 25V13a8 8 0 0 1 16 0v12M12.5 7.5V25M19.5 7.5V25M8 15.5h16M8 20.5h16"
        stroke="#fff"
        strokeWidth="1.8"
        strokeLinecap="round"
      />
    </svg>
  )
}
