/** A circle around a country. */
export interface CountryPlace {
  /** Centroid, degrees north. */
  latitude: number;
  /** Centroid, degrees east. */
  longitude: number;
  /** Distance from the centroid to the farthest point of the main land mass, km. */
  radius: number;
}

// Country, latitude, longitude, radius; computed from Natural Earth 1:50m (1:10m below 20,000 km²),
// which is in the public domain. The main land mass is the largest piece and all pieces connected
// to it by gaps under 600 km, so it excludes Alaska, Hawaii, the Canaries and Galápagos. By hand:
// AQ, BQ (both groups), CC, CX, KI (the Gilbert Islands). XK is Kosovo, which has no ISO code.
const circles = `
  AD 42.5 1.5 30, AE 24 54.5 300, AF 34 66 880, AG 17.5 -62 70, AI 18 -63 90, AL 41 20 190,
  AM 40.5 45 220, AO -12.5 17.5 1050, AQ -90 0 2900, AR -34.5 -65 2290, AS -14.5 -170.5 390,
  AT 47.5 14 340, AU -26 134.5 2270, AW 12.5 -70 20, AX 60 20 90, AZ 40.5 47.5 260, BA 44 18 220,
  BB 13 -59.5 50, BD 24 90 430, BE 50.5 4.5 160, BF 12.5 -2 490, BG 43 25 310, BH 26 50.5 30,
  BI -3.5 30 150, BJ 9.5 2.5 380, BL 18 -63 30, BM 32.5 -65 40, BN 4.5 114.5 100,
  BO -16.5 -64.5 830, BQ 15 -66 520, BR -10.5 -53 2590, BS 24 -76.5 490, BT 27.5 90.5 180,
  BV -54.5 3.5 20, BW -22 24 640, BY 53.5 28 380, BZ 17 -88.5 170, CA 60.5 -96.5 3180,
  CC -12 97 30, CD -3 23.5 1350, CF 6.5 20.5 780, CG -1 15 650, CH 47 8 200, CI 7.5 -5.5 420,
  CK -21 -158.5 280, CL -36 -71 2230, CM 5.5 12.5 870, CN 36.5 103.5 2850, CO 4 -73 980,
  CR 10 -84 250, CU 21.5 -79 610, CV 16 -24 190, CW 12 -69 50, CX -10.5 105.5 30, CY 35 33 110,
  CZ 49.5 15.5 260, DE 51 10.5 480, DJ 11.5 42.5 160, DK 56 10 340, DM 15.5 -61.5 40,
  DO 19 -70.5 240, DZ 28 2.5 1150, EC -1.5 -78.5 400, EE 58.5 25.5 220, EG 26.5 30 860,
  EH 24 -12.5 590, ER 15.5 39 550, ES 40.5 -3.5 670, ET 8.5 39.5 940, FI 64.5 26 630,
  FJ -17.5 178.5 630, FK -51.5 -59.5 140, FM 6.5 158.5 1040, FO 62 -7 70, FR 46.5 2.5 790,
  GA -0.5 12 400, GB 54 -3 780, GD 12 -61.5 60, GE 42 43.5 330, GF 4 -53 260, GG 49.5 -2.5 40,
  GH 8 -1 400, GI 36 -5.5 30, GL 73 -42 1470, GM 13.5 -15.5 190, GN 10.5 -11 450, GP 16 -61.5 70,
  GQ 1.5 10.5 330, GR 39 23 560, GS -54.5 -36 770, GT 15.5 -90.5 300, GU 13.5 145 50,
  GW 12 -15 200, GY 5 -59 450, HK 22.5 114 50, HM -53 73.5 30, HN 15 -86.5 360, HR 45 16.5 330,
  HT 19 -72.5 220, HU 47 19.5 280, ID -2.5 117 2760, IE 53 -8 270, IL 31.5 35 230, IM 54 -4.5 50,
  IN 23 79.5 1880, IO -7 72.5 220, IQ 33 44 550, IR 32.5 54.5 1220, IS 65 -18.5 290,
  IT 42.5 12 700, JE 49 -2 40, JM 18 -77.5 140, JO 31 37 320, JP 37.5 137.5 1970, KE 0.5 38 640,
  KG 41.5 74.5 500, KH 12.5 105 370, KI 0.5 174 500, KM -12 43.5 120, KN 17.5 -62.5 50,
  KP 40 127 420, KR 36.5 128 400, KW 29.5 47.5 150, KY 19.5 -81 140, KZ 48.5 67 1500,
  LA 18.5 104 570, LB 34 36 140, LC 14 -61 40, LI 47 9.5 30, LK 7.5 80.5 270, LR 6.5 -9.5 330,
  LS -29.5 28 140, LT 55.5 24 200, LU 50 6 70, LV 57 25 270, LY 27 18 1060, MA 30 -8.5 1280,
  MC 43.5 7.5 40, MD 47 28.5 210, ME 43 19 140, MF 18 -63 20, MG -19.5 46.5 880, MH 7 170 860,
  MK 41.5 21.5 130, ML 17.5 -3.5 1050, MM 21 96.5 1250, MN 47 103 1290, MO 22 113.5 30,
  MP 16 145.5 520, MQ 14.5 -61 50, MR 20 -10.5 840, MS 16.5 -62 50, MT 36 14.5 30, MU -20.5 58 590,
  MV 4 73.5 530, MW -13 34.5 470, MX 24 -102 1760, MY 4 109.5 1130, MZ -17 35.5 1150,
  NA -22 17 990, NC -21.5 165.5 620, NE 17.5 9.5 1060, NF -29 168 20, NG 9.5 8 790, NI 13 -85 300,
  NL 52.5 5.5 200, NO 64 12.5 1060, NP 28.5 84 470, NR -0.5 167 20, NU -19 -170 30,
  NZ -41.5 173 1270, OM 20.5 56 660, PA 8.5 -80 340, PE -9 -74.5 1140, PF -15 -145 1410,
  PG -6.5 145 1220, PH 11.5 123 1050, PK 30 69 980, PL 52 19.5 420, PM 47 -56.5 40,
  PN -24.5 -128.5 380, PR 18 -66.5 160, PS 32 35 120, PT 39.5 -8 300, PW 7 134.5 580,
  PY -23 -58.5 570, QA 25.5 51 110, RE -21 55.5 60, RO 46 25 380, RS 44 21 280, RU 66 95.5 4350,
  RW -2 30 150, SA 24 44.5 1170, SB -9 159.5 870, SC -4.5 55.5 420, SD 16 30 1070,
  SE 62.5 16.5 820, SG 1.5 104 50, SH -16 -5.5 40, SI 46 15 140, SJ 79 18.5 520, SK 48.5 19.5 240,
  SL 8.5 -12 190, SM 44 12.5 20, SN 14.5 -14.5 410, SO 4.5 45.5 1040, SR 4 -56 300,
  SS 7.5 30.5 720, ST 0.5 6.5 170, SV 13.5 -89 150, SX 18 -63 20, SY 35 38.5 430,
  SZ -26.5 31.5 110, TC 22 -72 120, TD 15.5 18.5 950, TF -49.5 69.5 120, TG 8.5 1 320,
  TH 15 101 1050, TJ 38.5 71 390, TK -9 -172 100, TL -9 126 220, TM 39 59.5 670, TN 34 9.5 420,
  TO -20 -175 500, TR 39 35 880, TT 10.5 -61.5 150, TV -8 178.5 370, TW 23.5 121 300,
  TZ -6.5 35 790, UA 49 31.5 700, UG 1.5 32.5 460, UM 6 -162 70, US 40 -99 2670, UY -33 -56 350,
  UZ 42 63.5 820, VA 42 12.5 20, VC 13 -61 70, VE 7 -66 850, VG 18.5 -64.5 40, VI 18 -65 60,
  VN 16.5 106.5 900, VU -16 167.5 540, WF -13.5 -177 160, WS -14 -172 100, XK 42.5 21 90,
  YE 16 47.5 850, YT -13 45 50, ZA -29 25 970, ZM -13.5 28 720, ZW -19 30 520
`;

const places: ReadonlyMap<string, CountryPlace> = new Map(
  circles.split(',').map((row) => {
    const [code = '', ...numbers] = row.trim().split(' ');
    const [latitude = 0, longitude = 0, radius = 0] = numbers.map(Number);
    return [code, { latitude, longitude, radius }];
  }),
);

/**
 * Returns the approximate location of a country by its upper-case ISO 3166-1 alpha-2 code.
 * `undefined` for other codes, including those that address registries use as countries (`AP`,
 * `EU`). Degrees are rounded to halves, the radius up to 10 km.
 */
export const countryPlace = (code: string): CountryPlace | undefined => places.get(code);
