/** The mark of the site as an icon file with one PNG of 32×32: for what asks for /favicon.ico and reads no SVG. */
export const favicon = Buffer.from([
  'AAABAAEAICAAAAEAIAAbAQAAFgAAAIlQTkcNChoKAAAADUlIRFIAAAAgAAAAIAQDAAAAgVRnxwAAADBQTFRFC1fQC1fQC1fQC1fQH2XUNHPYSIHcXI/gcZ3khavombnrrsfvwtXz1uP36/H7////hJ',
  '4rHwAAAAN0Uk5TAFWqC7knOQAAAJdJREFUeNqlktENwjAMRA+xABIbtAtADRPQjyZzMUL2YC8+2g1qlORSMP6sfxI/5y5SLgA62aoDgLP81BU4iKkTjhZcrCJr+roJqa4D2C8rCdirkqDN2xls50kg',
  'cuMs6voo4L68nxlMLwIJaiXedJSo5dqRpnOqqjA309ykLNxlGveaSjP9AqoKcI/c2xgGH5SL0oX9/x0+1gyslzRKszgAAAAASUVORK5CYII=',
].join(''), 'base64');
