CREATE TABLE oprtr (
  oprtr_id INTEGER,
  oprtr_nm TEXT,
  base_apt TEXT,
  ctry TEXT
);

INSERT INTO oprtr VALUES
(1, 'Skylark Air', 'LHO', 'Ireland'),
(2, 'Norse Wings', 'BGO', 'Norway'),
(3, 'Amber Charter', 'RIX', 'Latvia'),
(4, 'Coastline Rescue', 'PZE', 'United Kingdom'),
(5, 'Tundra Cargo', 'BGO', 'Norway'),
(6, 'Meridian Flying Club', 'SNN', 'Ireland'),
(7, 'Baltic Survey', NULL, 'Latvia');

CREATE TABLE acft (
  reg TEXT,
  mdl TEXT,
  msn TEXT,
  oprtr_id INTEGER,
  yr_blt INTEGER,
  tt_hrs INTEGER,
  cyc INTEGER
);

INSERT INTO acft VALUES
('EI-SKA', 'ATR 72', '1021', 1, 2008, 28410, 31200),
('EI-SKB', 'ATR 72', '1044', 1, 2009, 26935, 29870),
('EI-SKC', 'ATR 42', '0877', 1, 1998, 41260, 47015),
('LN-NWA', 'Dash 8', '4120', 2, 2011, 19875, 24310),
('LN-NWB', 'Dash 8', '4133', 2, 2012, 18020, 22105),
('LN-TDR', 'Boeing 737F', '2788', 5, 1994, 58900, 49700),
('YL-AMB', 'Citation', '5560', 3, 2016, 4210, 3890),
('YL-AMC', 'Citation', '5571', 3, 2018, 3055, 2790),
('G-CRES', 'AW139', '3140', 4, 2014, 7840, 16020),
('G-CRET', 'AW139', '3152', 4, NULL, 6925, 14480),
('EI-MFC', 'Cessna 172', '1728', 6, 1979, 12110, 20050),
('EI-MFD', 'Cessna 172', '1731', 6, 1981, 10980, 18340),
('YL-BSV', 'King Air', '0931', 7, 2003, 9020, 7715);

CREATE TABLE mech (
  mech_id INTEGER,
  mech_nm TEXT,
  lic TEXT,
  rate_hr DOUBLE,
  hire_dt TEXT,
  sup_id INTEGER
);

INSERT INTO mech VALUES
(1, 'Brigitte Olander', 'B1', 58.0, '2006-03-13', NULL),
(2, 'Hamish Rooke', 'B1', 52.5, '2012-08-20', 1),
(3, 'Sergei Antonov', 'B2', 54.0, '2014-01-06', 1),
(4, 'Ola Fagan', 'A', 36.0, '2019-10-14', 2),
(5, 'Maja Lis', 'A', 34.5, '2021-05-03', 2),
(6, 'Declan Hurst', 'B2', 49.0, '2017-02-27', 3),
(7, 'Rita Calvo', 'A', 33.0, '2023-09-18', 3),
(8, 'Evan Stroud', NULL, 24.0, '2024-06-10', 2),
(9, 'Kirsten Voll', 'C', 64.0, '2010-11-01', 1),
(10, 'Pavlo Hrytsenko', 'B1', 50.0, '2022-04-19', 9);

CREATE TABLE wo_typ (
  typ_cd TEXT,
  typ_nm TEXT
);

INSERT INTO wo_typ VALUES
('AC', 'A check'),
('CC', 'C check'),
('RP', 'Repair'),
('MD', 'Modification'),
('BI', 'Borescope inspection');

CREATE TABLE wo (
  wo_no INTEGER,
  reg TEXT,
  opn_dt TEXT,
  prom_dt TEXT,
  cls_dt TEXT,
  typ_cd TEXT,
  insp_id INTEGER,
  quote_eur DOUBLE
);

INSERT INTO wo VALUES
(7001, 'LN-NWA', '2024-10-27', '2024-11-21', '2024-11-25', 'CC', 3, 3900.0),
(7002, 'EI-MFC', '2024-06-01', '2024-06-05', '2024-06-05', 'AC', 9, 61000.0),
(7003, 'YL-AMB', '2023-08-11', '2023-08-25', '2023-08-26', 'MD', 2, 61000.0),
(7004, 'LN-TDR', '2022-03-28', '2022-04-04', '2022-04-12', 'RP', 2, 14500.0),
(7005, 'YL-AMC', '2022-05-31', '2022-06-07', '2022-06-13', 'RP', 1, 5600.0),
(7006, 'YL-AMC', '2023-12-18', '2023-12-22', '2023-12-28', 'AC', 2, 2400.0),
(7007, 'YL-AMB', '2024-11-15', '2024-11-29', NULL, 'MD', NULL, 8800.0),
(7008, 'G-CRES', '2022-12-04', '2022-12-08', '2022-12-08', 'AC', 3, NULL),
(7009, 'YL-AMC', '2022-02-22', '2022-03-01', '2022-03-02', 'RP', 3, 3900.0),
(7010, 'G-CRET', '2024-03-26', '2024-04-02', '2024-03-31', 'RP', 2, 32000.0),
(7011, 'LN-NWA', '2022-11-09', '2022-11-13', '2022-11-16', 'AC', 1, 61000.0),
(7012, 'LN-TDR', '2022-06-17', '2022-07-01', '2022-07-05', 'MD', 2, 3900.0),
(7013, 'G-CRET', '2024-10-02', '2024-10-09', '2024-10-15', 'RP', 3, 32000.0),
(7014, 'EI-SKB', '2023-06-30', '2023-07-25', NULL, 'CC', NULL, NULL),
(7015, 'EI-SKC', '2022-07-21', '2022-07-25', '2022-07-30', 'AC', 2, 3900.0),
(7016, 'LN-NWA', '2022-10-02', '2022-10-09', '2022-10-07', 'RP', 9, 5600.0),
(7017, 'LN-NWA', '2023-07-25', '2023-08-08', '2023-08-08', 'MD', 3, 14500.0),
(7018, 'G-CRES', '2024-03-25', '2024-03-29', '2024-04-05', 'AC', 3, 61000.0),
(7019, 'G-CRES', '2023-10-06', '2023-10-10', '2023-10-18', 'AC', 2, 3900.0),
(7020, 'G-CRES', '2022-09-04', '2022-09-11', '2022-09-13', 'RP', 9, 3900.0),
(7021, 'EI-SKB', '2022-07-17', '2022-08-11', NULL, 'CC', NULL, 61000.0),
(7022, 'LN-NWB', '2024-11-30', '2024-12-07', '2024-12-14', 'RP', 9, 8800.0),
(7023, 'LN-TDR', '2023-07-08', '2023-07-15', '2023-07-17', 'RP', 9, 2400.0),
(7024, 'LN-NWB', '2022-02-15', '2022-02-22', '2022-03-02', 'RP', 3, 61000.0),
(7025, 'G-CRET', '2023-07-25', '2023-07-29', '2023-07-27', 'AC', 9, 14500.0),
(7026, 'G-CRET', '2024-04-18', '2024-04-22', '2024-04-23', 'AC', 1, 5600.0),
(7027, 'LN-NWA', '2023-11-05', '2023-11-12', '2023-11-10', 'RP', 9, 32000.0),
(7028, 'YL-AMB', '2022-10-26', '2022-11-02', NULL, 'RP', NULL, 61000.0),
(7029, 'YL-AMB', '2023-02-14', '2023-02-28', '2023-03-05', 'MD', 1, 8800.0),
(7030, 'G-CRES', '2023-03-31', '2023-04-14', '2023-04-16', 'MD', 2, 61000.0),
(7031, 'EI-MFC', '2024-09-07', '2024-09-14', '2024-09-21', 'RP', 1, 5600.0),
(7032, 'EI-SKC', '2023-03-01', '2023-03-08', '2023-03-09', 'RP', 9, 32000.0),
(7033, 'G-CRET', '2022-01-29', '2022-02-23', '2022-02-25', 'CC', 1, 2400.0),
(7034, 'EI-SKB', '2022-09-08', '2022-09-22', '2022-09-20', 'MD', 1, 2400.0),
(7035, 'YL-AMC', '2022-12-01', '2022-12-05', NULL, 'AC', NULL, 14500.0),
(7036, 'YL-AMC', '2024-03-16', '2024-03-23', '2024-03-29', 'RP', 1, 5600.0),
(7037, 'LN-NWA', '2024-03-10', '2024-03-17', '2024-03-23', 'RP', 1, NULL),
(7038, 'EI-SKB', '2024-06-27', '2024-07-11', '2024-07-17', 'MD', 9, 2400.0),
(7039, 'LN-NWA', '2024-12-04', '2024-12-10', '2024-12-11', 'RP', 2, 3100.0),
(7040, 'LN-TDR', '2022-05-03', '2022-05-10', '2022-05-09', 'RP', 9, 4700.0);

CREATE TABLE task (
  task_no INTEGER,
  wo_no INTEGER,
  descr TEXT,
  ata_ch INTEGER,
  est_hrs DOUBLE,
  act_hrs DOUBLE,
  mech_id INTEGER,
  stat TEXT,
  defer_yn TEXT
);

INSERT INTO task VALUES
(1, 7001, 'Replace nose wheel bearing', 32, 1.5, NULL, NULL, 'open', 'Y'),
(2, 7002, 'Repair cabin door seal', 52, 2.0, 4.5, 9, 'done', 'N'),
(3, 7003, 'Replace engine mount', 71, 2.0, 1.6, 2, 'done', 'N'),
(4, 7004, 'Replace altimeter', 34, 6.0, 6.0, 5, 'done', 'N'),
(5, 7005, 'Renew brake unit', 32, 6.0, NULL, NULL, 'open', 'Y'),
(6, 7006, 'Replace starter generator', 24, 1.5, 3.4, 4, 'done', 'N'),
(7, 7007, 'Lubricate flap tracks', 27, 3.0, NULL, 5, 'open', 'N'),
(8, 7008, 'Update nav database', 34, 4.0, 9.0, 2, 'done', 'N'),
(9, 7009, 'Repair cabin door seal', 52, 12.0, 12.0, 7, 'done', 'N'),
(10, 7010, 'Update nav database', 34, 2.0, NULL, 2, 'open', 'Y'),
(11, 7011, 'Lubricate flap tracks', 27, 6.0, NULL, 6, 'open', 'Y'),
(12, 7012, 'Engine cowl repair', 71, 3.0, 3.0, 2, 'done', 'N'),
(13, 7013, 'Renew brake unit', 32, 12.0, NULL, 4, 'open', 'Y'),
(14, 7014, 'Replace engine mount', 71, 6.0, 7.2, 10, 'done', 'N'),
(15, 7015, 'Test battery capacity', 24, 4.0, 6.0, 4, 'done', 'N'),
(16, 7016, 'Engine cowl repair', 71, 8.0, 12.0, 5, 'done', 'N'),
(17, 7017, 'Engine cowl repair', 71, 6.0, 7.2, 4, 'done', 'N'),
(18, 7018, 'Update nav database', 34, 8.0, 9.6, 5, 'done', 'N'),
(19, 7019, 'Rig elevator cables', 27, 1.5, 1.2, 2, 'done', 'N'),
(20, 7020, 'Update nav database', 34, 3.0, 3.0, 5, 'done', 'N'),
(21, 7021, 'Repair cabin door seal', 52, 1.5, 3.8, 7, 'done', 'N'),
(22, 7022, 'Replace engine mount', 71, 12.0, 27.0, 6, 'done', 'N'),
(23, 7023, 'Replace altimeter', 34, 6.0, 7.2, 7, 'done', 'N'),
(24, 7024, 'Repair cabin door seal', 52, 6.0, 6.0, 4, 'done', 'N'),
(25, 7025, 'Replace engine mount', 71, 3.0, NULL, NULL, 'open', 'Y'),
(26, 7026, 'Replace starter generator', 24, 8.0, 8.0, 1, 'done', 'N'),
(27, 7027, 'Renew brake unit', 32, 3.0, 4.5, 6, 'done', 'N'),
(28, 7028, 'Replace nose wheel bearing', 32, 1.5, NULL, NULL, 'open', 'N'),
(29, 7029, 'Renew brake unit', 32, 12.0, 14.4, 2, 'done', 'N'),
(30, 7030, 'Repair cabin door seal', 52, 12.0, NULL, 10, 'open', 'Y'),
(31, 7031, 'Replace starter generator', 24, 1.5, 1.4, 4, 'done', 'N'),
(32, 7032, 'Rig elevator cables', 27, 2.0, NULL, NULL, 'open', 'Y'),
(33, 7033, 'Replace engine mount', 71, 12.0, 12.0, 1, 'done', 'N'),
(34, 7034, 'Repair cabin door seal', 52, 12.0, 14.4, 6, 'done', 'N'),
(35, 7035, 'Repair cabin door seal', 52, 1.5, 1.5, 3, 'done', 'N'),
(36, 7036, 'Inspect main gear actuator', 32, 6.0, 9.0, 9, 'done', 'N'),
(37, 7037, 'Lubricate flap tracks', 27, 2.0, 2.4, 6, 'done', 'N'),
(38, 7038, 'Renew brake unit', 32, 4.0, 9.0, 6, 'done', 'N'),
(39, 7039, 'Replace starter generator', 24, 12.0, 18.0, 3, 'done', 'N'),
(40, 7040, 'Inspect main gear actuator', 32, 6.0, 4.8, 6, 'done', 'N'),
(41, 7028, 'Rig elevator cables', 27, 8.0, 20.0, 2, 'done', 'N'),
(42, 7018, 'Test battery capacity', 24, 3.0, 2.4, 10, 'done', 'N'),
(43, 7023, 'Rig elevator cables', 27, 4.0, 4.8, 3, 'done', 'N'),
(44, 7011, 'Replace starter generator', 24, 2.0, 3.0, 7, 'done', 'N'),
(45, 7022, 'Replace starter generator', 24, 12.0, NULL, NULL, 'open', 'Y'),
(46, 7023, 'Inspect main gear actuator', 32, 2.0, 1.6, 2, 'done', 'N'),
(47, 7001, 'Replace engine mount', 71, 3.0, 3.0, 2, 'done', 'N'),
(48, 7036, 'Repair cabin door seal', 52, 1.5, 3.8, 2, 'done', 'N'),
(49, 7005, 'Inspect main gear actuator', 32, 2.0, NULL, 9, 'open', 'Y'),
(50, 7028, 'Rig elevator cables', 27, 12.0, NULL, NULL, 'open', 'N'),
(51, 7024, 'Renew brake unit', 32, 4.0, 4.0, 1, 'done', 'N'),
(52, 7018, 'Engine cowl repair', 71, 8.0, 6.4, 6, 'done', 'N'),
(53, 7019, 'Replace engine mount', 71, 6.0, 13.5, 7, 'done', 'N'),
(54, 7002, 'Replace engine mount', 71, 4.0, 4.8, 1, 'done', 'N'),
(55, 7001, 'Repair cabin door seal', 52, 12.0, 10.8, 4, 'done', 'N'),
(56, 7016, 'Inspect main gear actuator', 32, 4.0, 3.6, 6, 'done', 'N'),
(57, 7014, 'Lubricate flap tracks', 27, 4.0, NULL, NULL, 'open', 'N'),
(58, 7009, 'Replace engine mount', 71, 1.5, 1.2, 10, 'done', 'N'),
(59, 7008, 'Test battery capacity', 24, 8.0, 7.2, 9, 'done', 'N'),
(60, 7019, 'Lubricate flap tracks', 27, 3.0, 2.4, 7, 'done', 'N');

CREATE TABLE vend (
  vend_cd TEXT,
  vend_nm TEXT,
  ctry TEXT,
  lead_days INTEGER
);

INSERT INTO vend VALUES
('AVX', 'Avionix', 'France', 21),
('BRG', 'Bearings Plus', 'Germany', 10),
('GRS', 'Gearstrong', 'United Kingdom', 45),
('PWR', 'Powerline Aero', 'Canada', 60),
('SEA', 'Sealtech', 'Germany', 7),
('UNK', 'Union Kit', 'United States', NULL);

CREATE TABLE part (
  pn TEXT,
  part_nm TEXT,
  vend_cd TEXT,
  unit_prc DOUBLE,
  qoh INTEGER,
  shelf_mths INTEGER,
  rot_fl TEXT
);

INSERT INTO part VALUES
('BR-110', 'Wheel bearing', 'BRG', 185.0, 12, NULL, 'N'),
('BK-220', 'Brake unit', 'GRS', 6400.0, 0, NULL, 'Y'),
('AC-301', 'Gear actuator', 'GRS', 11850.0, 1, NULL, 'Y'),
('SG-450', 'Starter generator', 'PWR', 9200.0, 0, NULL, 'Y'),
('BT-460', 'Main battery', 'PWR', 2750.0, 2, 24, 'Y'),
('AL-510', 'Altimeter', 'AVX', 4300.0, 3, NULL, 'Y'),
('DS-610', 'Door seal', 'SEA', 240.0, 8, 36, 'N'),
('OR-615', 'O-ring kit', 'SEA', 32.5, 55, 48, 'N'),
('CB-700', 'Elevator cable', 'UNK', 390.0, 4, NULL, 'N'),
('EM-810', 'Engine mount', 'PWR', 3150.0, 1, NULL, 'N'),
('GR-900', 'Grease 400 g', 'BRG', 18.9, 30, 18, 'N'),
('TP-910', 'Speed tape', 'UNK', 41.0, NULL, 12, 'N');

CREATE TABLE task_part (
  task_no INTEGER,
  pn TEXT,
  qty INTEGER,
  cond TEXT
);

INSERT INTO task_part VALUES
(2, 'DS-610', 4, 'overhauled'),
(2, 'OR-615', 2, 'new'),
(3, 'EM-810', 1, 'new'),
(6, 'SG-450', 1, 'new'),
(9, 'DS-610', 4, 'overhauled'),
(14, 'EM-810', 2, 'new'),
(15, 'BT-460', 1, 'new'),
(19, 'CB-700', 4, 'overhauled'),
(21, 'DS-610', 1, 'overhauled'),
(21, 'OR-615', 2, 'new'),
(22, 'EM-810', 2, 'new'),
(23, 'AL-510', 2, 'new'),
(24, 'DS-610', 2, 'new'),
(26, 'SG-450', 1, 'new'),
(27, 'BK-220', 2, 'overhauled'),
(29, 'BK-220', 1, 'overhauled'),
(31, 'SG-450', 2, 'new'),
(33, 'EM-810', 1, 'new'),
(34, 'DS-610', 2, 'overhauled'),
(34, 'OR-615', 1, 'new'),
(35, 'DS-610', 4, 'new'),
(35, 'OR-615', 4, 'overhauled'),
(36, 'OR-615', 1, 'new'),
(37, 'GR-900', 2, 'new'),
(38, 'BK-220', 1, 'new'),
(40, 'OR-615', 2, 'new'),
(41, 'CB-700', 2, 'overhauled'),
(43, 'CB-700', 2, 'new'),
(44, 'SG-450', 1, 'new'),
(46, 'OR-615', 2, 'new'),
(47, 'EM-810', 1, 'new'),
(48, 'DS-610', 2, 'new'),
(48, 'OR-615', 1, 'new'),
(51, 'BK-220', 1, 'new'),
(53, 'EM-810', 1, 'overhauled'),
(54, 'EM-810', 2, 'new'),
(55, 'DS-610', 2, 'new'),
(58, 'EM-810', 2, 'overhauled'),
(59, 'BT-460', 1, 'new'),
(60, 'GR-900', 2, 'new');
