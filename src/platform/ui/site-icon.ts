/** The icon of the site. Its colours work on light and dark backgrounds. */
export const siteIcon = `<svg xmlns="http://www.w3.org/2000/svg"
 viewBox="0 0 32 32" width="32" height="32">
<rect width="32" height="32" rx="7" fill="#0b57d0"/>
<g fill="none" stroke="#fff" stroke-width="2.5" stroke-linejoin="round" stroke-linecap="round">
<path d="m16 6.5 9 4.5-9 4.5L7 11z"/><path d="m7 16 9 4.5 9-4.5M7 21l9 4.5 9-4.5"/></g></svg>
`;
