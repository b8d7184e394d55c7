CREATE TABLE dep (
  dep_cd TEXT,
  dep_nm TEXT,
  bays INTEGER
);

INSERT INTO dep VALUES
('D1', 'Northgate Yard', 14),
('D2', 'Canal Depot', 9),
('D3', 'Quarry Lane', NULL);

CREATE TABLE zon (
  zn_cd TEXT,
  zn_nm TEXT,
  hh_cnt INTEGER,
  dep_cd TEXT
);

INSERT INTO zon VALUES
('Z01', 'Old Quarter', 2140, 'D1'),
('Z02', 'Riverside', 3380, 'D1'),
('Z03', 'Hilltop', 1925, 'D2'),
('Z04', 'Station District', 4110, 'D1'),
('Z05', 'Millfields', 2760, 'D2'),
('Z06', 'Industrial Park', 310, 'D3'),
('Z07', 'New Harbour', NULL, 'D2');

CREATE TABLE mat (
  mat_cd TEXT,
  mat_dsc TEXT,
  cst_tn DOUBLE,
  recyc TEXT
);

INSERT INTO mat VALUES
('RES', 'Residual waste', 142.0, 'N'),
('PAP', 'Paper and card', -38.5, 'Y'),
('GLS', 'Glass', 12.0, 'Y'),
('PLM', 'Plastic and metal', 27.5, 'Y'),
('ORG', 'Garden and food waste', 44.0, 'Y'),
('TEX', 'Textiles', -95.0, 'Y'),
('HAZ', 'Hazardous waste', 410.0, 'N');

CREATE TABLE trk (
  trk_no INTEGER,
  reg TEXT,
  body TEXT,
  yr INTEGER,
  cap_t DOUBLE,
  dep_cd TEXT,
  stat TEXT,
  km_l DOUBLE
);

INSERT INTO trk VALUES
(11, 'WX61 HJK', 'Rear loader', 2016, 11.5, 'D1', 'A', 4.2),
(12, 'WX61 HJL', 'Rear loader', 2016, 11.5, 'D1', 'A', 4.2),
(13, 'YA18 PLM', 'Side loader', 2018, 9.0, 'D1', 'A', 3.8),
(14, 'YB20 RTU', 'Split body', 2020, 10.2, 'D2', 'A', 3.6),
(15, 'YC22 EVA', 'Electric', 2022, 8.5, 'D2', 'A', NULL),
(16, 'VK09 DDF', 'Rear loader', 2009, 10.8, 'D3', 'S', 5.1),
(17, 'YC23 EVB', 'Electric', 2023, 8.5, 'D1', 'A', NULL),
(18, 'WT12 GGS', 'Skip lorry', 2012, 7.4, 'D3', 'R', 4.6);

CREATE TABLE emp (
  emp_no INTEGER,
  emp_nm TEXT,
  job_cd TEXT,
  dep_cd TEXT,
  boss_no INTEGER,
  mth_sal INTEGER,
  hire_dt TEXT
);

INSERT INTO emp VALUES
(1, 'Rita Bosworth', 'SUP', 'D1', NULL, 3350, '2005-04-11'),
(2, 'Glen Fairley', 'SUP', 'D2', 1, 3200, '2010-08-02'),
(3, 'Dennis Okoro', 'DRV', 'D1', 1, 2650, '2012-03-19'),
(4, 'Maria Tosh', 'DRV', 'D1', 1, 2700, '2009-10-05'),
(5, 'Jason Kirk', 'DRV', 'D2', 2, 2550, '2018-06-25'),
(6, 'Wanda Piet', 'DRV', 'D2', 2, 2600, '2016-01-11'),
(7, 'Colm Reilly', 'LDR', 'D1', 3, 2150, '2020-09-14'),
(8, 'Abdul Karim', 'LDR', 'D1', 4, 2150, '2021-02-08'),
(9, 'Sean Potts', 'LDR', 'D2', 5, 2100, '2022-11-28'),
(10, 'Lidia Marek', 'LDR', 'D2', 6, 2180, '2019-05-20'),
(11, 'Vernon Hill', 'LDR', 'D1', 3, 2120, '2023-04-03'),
(12, 'Tracey Bond', 'DRV', 'D3', NULL, 2500, '2024-05-13');

CREATE TABLE job (
  job_cd TEXT,
  job_dsc TEXT
);

INSERT INTO job VALUES
('SUP', 'Supervisor'),
('DRV', 'Driver'),
('LDR', 'Loader'),
('MEC', 'Mechanic');

CREATE TABLE coll (
  coll_no INTEGER,
  coll_dt TEXT,
  zn_cd TEXT,
  mat_cd TEXT,
  trk_no INTEGER,
  drv_no INTEGER,
  wt_kg INTEGER,
  contam_pct DOUBLE,
  km DOUBLE,
  missed INTEGER,
  fuel_l DOUBLE
);

INSERT INTO coll VALUES
(5001, '2022-02-16', 'Z05', 'RES', 14, 6, 2420, NULL, 38, 0, 13.4),
(5002, '2022-02-23', 'Z04', 'GLS', 12, 3, 10280, 11.5, 31, 2, 24.9),
(5003, '2022-02-28', 'Z01', 'PLM', 12, 3, 9120, 1.2, 44, 0, 24.1),
(5004, '2022-04-15', 'Z04', 'RES', 12, 3, 1540, NULL, 31, 0, 12.4),
(5005, '2022-05-19', 'Z02', 'GLS', 12, 3, 4060, 14.0, 25, 0, 14.6),
(5006, '2022-06-07', 'Z03', 'ORG', 14, 6, 2180, 1.2, 18, 0, 28.3),
(5007, '2022-06-29', 'Z01', 'RES', 13, 3, 2800, NULL, 38, 1, 14.8),
(5008, '2022-08-15', 'Z04', 'RES', 13, 4, 1580, NULL, 31, 9, 27.8),
(5009, '2022-08-26', 'Z01', 'RES', 11, 4, 2740, NULL, 22, 0, 17.3),
(5010, '2022-09-28', 'Z06', 'RES', 16, 3, 8560, NULL, 18, 2, 20.6),
(5011, '2022-09-30', 'Z03', 'RES', 14, 6, 4480, NULL, 31, 0, 25.7),
(5012, '2022-11-17', 'Z01', 'RES', 12, 3, 2360, NULL, 18, 2, 23.3),
(5013, '2022-11-25', 'Z01', 'PAP', 13, 4, 6500, 1.2, 25, 5, 29.0),
(5014, '2022-12-02', 'Z02', 'PLM', 12, 3, 2560, 2.5, 44, 0, 28.7),
(5015, '2022-12-16', 'Z04', 'PAP', 12, 4, 6700, 6.4, 31, 9, 24.6),
(5016, '2022-12-26', 'Z06', 'PLM', 16, 3, 6780, 11.5, 38, 0, 27.3),
(5017, '2022-12-28', 'Z04', 'PAP', 13, 4, 3160, 3.8, 44, 2, 20.3),
(5018, '2022-12-30', 'Z05', 'PAP', 14, 6, 1800, 14.0, 44, 9, 22.4),
(5019, '2023-02-02', 'Z04', 'RES', 11, 4, 10820, NULL, 18, 9, 23.2),
(5020, '2023-02-10', 'Z04', 'PLM', 12, 4, 7880, 11.5, 22, 5, 18.3),
(5021, '2023-02-13', 'Z03', 'PAP', 14, 5, 9320, 2.5, 18, 0, 29.3),
(5022, '2023-03-17', 'Z04', 'RES', 13, 3, 8100, NULL, 25, 9, 28.5),
(5023, '2023-04-06', 'Z05', 'RES', 14, 6, 5600, NULL, 38, 5, 18.2),
(5024, '2023-04-07', 'Z03', 'RES', 15, 5, 7240, NULL, 31, 1, NULL),
(5025, '2023-07-07', 'Z06', 'RES', 11, 4, 1420, NULL, 31, 2, 13.6),
(5026, '2023-08-21', 'Z03', 'PLM', 15, 5, 5720, 11.5, 31, 5, NULL),
(5027, '2023-08-25', 'Z06', 'PLM', 12, 3, 6420, 6.4, 31, 1, 24.7),
(5028, '2023-08-29', 'Z05', 'GLS', 15, 6, 8440, 2.5, 44, 2, NULL),
(5029, '2023-09-14', 'Z02', 'RES', 17, 3, 3660, NULL, 31, 0, NULL),
(5030, '2023-09-28', 'Z04', 'GLS', 17, 3, 7340, 5.0, 31, 9, NULL),
(5031, '2023-10-30', 'Z05', 'RES', 14, 6, 9620, NULL, 25, 0, 15.7),
(5032, '2023-11-02', 'Z03', 'GLS', 15, 5, NULL, 5.0, 18, 0, NULL),
(5033, '2023-11-14', 'Z01', 'PAP', 17, 3, 5060, 1.2, 38, 5, NULL),
(5034, '2023-12-21', 'Z02', 'PAP', 17, 4, 6100, 11.5, 31, 0, NULL),
(5035, '2023-12-29', 'Z04', 'PLM', 17, 4, 5740, 6.4, 18, 0, NULL),
(5036, '2024-01-17', 'Z04', 'GLS', 17, 3, 7220, 2.5, 44, 9, NULL),
(5037, '2024-01-25', 'Z03', 'ORG', 14, 6, 9360, 6.4, 25, 0, 26.9),
(5038, '2024-03-08', 'Z05', 'PLM', 14, 5, NULL, 8.1, 31, 2, 23.8),
(5039, '2024-03-11', 'Z04', 'GLS', 13, 4, 1860, 1.2, 31, 0, 15.8),
(5040, '2024-04-01', 'Z04', 'PAP', 13, 3, 8420, 6.4, 22, 0, 13.7),
(5041, '2024-04-04', 'Z06', 'PAP', 12, 4, 6200, 11.5, 31, 0, 26.6),
(5042, '2024-04-09', 'Z03', 'ORG', 15, 5, 3400, 1.2, 44, 0, NULL),
(5043, '2024-04-17', 'Z06', 'RES', 16, 3, 6520, NULL, 38, 9, 26.1),
(5044, '2024-04-18', 'Z06', 'ORG', 15, 5, 6900, 1.2, 31, 9, NULL),
(5045, '2024-04-24', 'Z06', 'PAP', 15, 6, 5920, 5.0, 18, 2, NULL),
(5046, '2024-05-30', 'Z06', 'ORG', 16, 12, 6040, 14.0, 22, 5, 12.0),
(5047, '2024-07-11', 'Z06', 'ORG', 11, 3, 11080, 11.5, 25, 0, 26.4),
(5048, '2024-07-24', 'Z04', 'RES', 17, 3, 1860, NULL, 18, 9, NULL),
(5049, '2024-08-01', 'Z04', 'PAP', 12, 3, 2720, 2.5, 44, 0, 16.3),
(5050, '2024-08-16', 'Z05', 'RES', 14, 6, 9160, NULL, 18, 5, 10.8),
(5051, '2024-08-19', 'Z03', 'GLS', 14, 6, 3900, 14.0, 18, 0, 10.7),
(5052, '2024-08-22', 'Z01', 'ORG', 12, 3, 4660, 2.5, 38, 9, 28.9),
(5053, '2024-09-09', 'Z04', 'PAP', 17, 3, 2580, 5.0, 18, 0, NULL),
(5054, '2024-09-23', 'Z06', 'RES', 17, 3, 7880, NULL, 31, 0, NULL),
(5055, '2024-09-23', 'Z04', 'RES', 12, 3, 3920, NULL, 25, 0, 11.2),
(5056, '2024-09-24', 'Z04', 'GLS', 12, 4, 7980, 2.5, 18, 2, 15.8),
(5057, '2024-10-10', 'Z03', 'ORG', 15, 6, 2720, 2.5, 18, 0, NULL),
(5058, '2024-10-10', 'Z01', 'PLM', 17, 4, 2600, 14.0, 22, 1, NULL),
(5059, '2024-11-19', 'Z04', 'RES', 11, 3, 9000, NULL, 18, 2, 22.6),
(5060, '2024-11-20', 'Z03', 'RES', 15, 6, NULL, NULL, 22, 0, NULL);

CREATE TABLE cmpl (
  cmpl_no INTEGER,
  rcvd_dt TEXT,
  zn_cd TEXT,
  street TEXT,
  typ_cd TEXT,
  chan TEXT,
  clsd_dt TEXT,
  satis INTEGER,
  rpt_fl INTEGER
);

INSERT INTO cmpl VALUES
(700, '2022-02-04', 'Z01', 'Quay Street', 'BIN', 'phone', '2022-02-06', NULL, 1),
(701, '2022-02-17', 'Z01', 'Quay Street', 'MISS', 'app', '2022-02-22', 3, 0),
(702, '2022-03-16', 'Z04', 'Elm Grove', 'BIN', 'phone', NULL, NULL, 1),
(703, '2022-04-14', 'Z01', 'Foundry Row', 'NOIS', 'app', '2022-04-15', NULL, 1),
(704, '2022-07-13', 'Z03', 'High Street', 'MISS', 'web', '2022-07-15', 3, 0),
(705, '2022-07-17', 'Z05', 'Abbey Road', 'NOIS', 'app', '2022-07-17', NULL, 1),
(706, '2022-09-01', 'Z04', 'Mill Lane', 'MISS', 'letter', NULL, NULL, 0),
(707, '2022-10-14', 'Z02', 'Hill Rise', 'RUDE', 'web', '2022-10-22', NULL, 0),
(708, '2022-10-18', 'Z04', 'High Street', 'MISS', 'app', '2022-10-21', NULL, 0),
(709, '2022-10-24', 'Z02', 'Quay Street', 'RUDE', 'web', '2022-11-01', NULL, 0),
(710, '2023-01-06', 'Z05', 'Abbey Road', 'MISS', 'app', '2023-01-07', NULL, 0),
(711, '2023-01-13', 'Z04', 'Elm Grove', 'SPIL', 'web', '2023-01-14', 5, 1),
(712, '2023-01-17', 'Z01', 'Hill Rise', 'MISS', 'web', '2023-01-19', 2, 0),
(713, '2023-02-19', 'Z03', 'Mill Lane', 'RUDE', 'web', '2023-02-19', NULL, 0),
(714, '2023-02-21', 'Z04', 'Foundry Row', 'RUDE', 'app', '2023-02-24', NULL, 0),
(715, '2023-03-04', 'Z04', 'Elm Grove', 'MISS', 'phone', '2023-03-12', NULL, 0),
(716, '2023-04-16', 'Z04', 'Elm Grove', 'RUDE', 'app', NULL, NULL, 0),
(717, '2023-04-24', 'Z05', 'Foundry Row', 'BIN', 'phone', '2023-05-02', 2, 0),
(718, '2023-04-29', 'Z01', 'Hill Rise', 'NOIS', 'app', '2023-05-04', 5, 0),
(719, '2023-05-05', 'Z03', 'Hill Rise', 'SPIL', 'letter', '2023-05-06', NULL, 0),
(720, '2023-07-23', 'Z04', 'Park Terrace', 'RUDE', 'app', '2023-07-31', NULL, 0),
(721, '2023-07-24', 'Z05', 'Quay Street', 'MISS', 'app', '2023-07-26', 3, 0),
(722, '2023-07-27', 'Z01', 'Quay Street', 'RUDE', 'app', '2023-08-10', 2, 1),
(723, '2023-09-10', 'Z03', 'Mill Lane', 'SPIL', 'phone', '2023-09-11', 4, 1),
(724, '2023-09-13', 'Z02', 'Hill Rise', 'BIN', 'web', '2023-09-18', 3, 1),
(725, '2023-12-17', 'Z01', 'Foundry Row', 'MISS', 'letter', '2023-12-18', NULL, 0),
(726, '2023-12-18', 'Z01', 'High Street', 'MISS', 'phone', '2023-12-20', 2, 0),
(727, '2023-12-20', 'Z04', 'Foundry Row', 'SPIL', 'app', '2023-12-22', 4, 0),
(728, '2024-01-10', 'Z01', 'Quay Street', 'MISS', 'phone', '2024-01-11', 2, 0),
(729, '2024-01-21', 'Z01', 'Foundry Row', 'RUDE', 'app', '2024-01-26', 2, 0),
(730, '2024-02-20', 'Z05', 'Elm Grove', 'MISS', 'web', NULL, NULL, 0),
(731, '2024-02-23', 'Z01', 'Park Terrace', 'MISS', 'app', '2024-02-23', 3, 0),
(732, '2024-03-10', 'Z02', 'Elm Grove', 'BIN', 'web', '2024-03-24', NULL, 0),
(733, '2024-03-14', 'Z01', 'Hill Rise', 'RUDE', 'web', '2024-03-15', 4, 0),
(734, '2024-03-19', 'Z02', 'Abbey Road', 'SPIL', 'letter', NULL, NULL, 0),
(735, '2024-03-26', 'Z01', 'High Street', 'SPIL', 'letter', '2024-04-09', 1, 0),
(736, '2024-04-07', 'Z01', 'Elm Grove', 'MISS', 'app', NULL, NULL, 1),
(737, '2024-05-21', 'Z02', 'Mill Lane', 'NOIS', 'app', '2024-05-24', NULL, 0),
(738, '2024-05-29', 'Z01', 'Elm Grove', 'MISS', 'phone', '2024-05-31', 4, 1),
(739, '2024-08-28', 'Z04', 'Hill Rise', 'RUDE', 'web', NULL, NULL, 1),
(740, '2024-09-24', 'Z03', 'High Street', 'MISS', 'letter', '2024-09-25', 1, 0),
(741, '2024-09-30', 'Z05', 'Foundry Row', 'RUDE', 'app', '2024-10-08', NULL, 1),
(742, '2024-11-15', 'Z03', 'Quay Street', 'SPIL', 'letter', NULL, NULL, 0),
(743, '2024-11-28', 'Z01', 'Foundry Row', 'MISS', 'web', '2024-12-01', NULL, 1);

CREATE TABLE cmpl_typ (
  typ_cd TEXT,
  typ_dsc TEXT
);

INSERT INTO cmpl_typ VALUES
('MISS', 'Missed collection'),
('NOIS', 'Noise'),
('SPIL', 'Spilled waste'),
('BIN', 'Damaged bin'),
('RUDE', 'Rude crew'),
('FLY', 'Fly-tipping');

CREATE TABLE bins (
  zn_cd TEXT,
  mat_cd TEXT,
  sz_l INTEGER,
  qty INTEGER,
  brkn INTEGER
);

INSERT INTO bins VALUES
('Z01', 'RES', 240, 3320, 4),
('Z01', 'PAP', 240, 1670, 52),
('Z01', 'ORG', 120, 1320, 48),
('Z01', 'GLS', 60, 2280, 10),
('Z02', 'RES', 240, 2830, 46),
('Z02', 'PAP', 240, 1840, 48),
('Z02', 'ORG', 120, 2290, 2),
('Z03', 'RES', 240, 3500, 38),
('Z03', 'ORG', 120, 2850, 47),
('Z03', 'GLS', 60, 3570, 44),
('Z04', 'RES', 240, 3510, 31),
('Z04', 'PAP', 240, 2690, 24),
('Z04', 'GLS', 60, 3300, 34),
('Z05', 'PAP', 240, 2690, 28),
('Z05', 'ORG', 120, 1450, 34),
('Z06', 'RES', 240, 2540, 17),
('Z06', 'PAP', 240, 1270, 57),
('Z06', 'ORG', 120, 2090, 55),
('Z06', 'GLS', 60, 2980, 59);

CREATE TABLE wksp (
  job_no INTEGER,
  trk_no INTEGER,
  in_dt TEXT,
  out_dt TEXT,
  wrk TEXT,
  cost INTEGER
);

INSERT INTO wksp VALUES
(1, 11, '2022-08-25', '2022-08-28', 'brakes', 1480),
(2, 16, '2022-11-14', '2022-11-14', 'brakes', 420),
(3, 12, '2023-01-28', '2023-02-06', 'bodywork', 1480),
(4, 13, '2023-03-16', '2023-03-19', 'hydraulics', 3200),
(5, 15, '2023-03-31', '2023-04-02', 'tyres', 1480),
(6, 14, '2023-05-09', '2023-05-11', 'brakes', 950),
(7, 16, '2023-06-05', '2023-06-07', 'brakes', 1480),
(8, 11, '2023-06-09', '2023-06-18', 'bodywork', 950),
(9, 14, '2023-10-29', '2023-11-01', 'tyres', 950),
(10, 12, '2023-11-03', '2023-11-12', 'bodywork', 3200),
(11, 15, '2023-12-09', '2023-12-10', 'bodywork', 1480),
(12, 17, '2024-03-17', '2024-03-17', 'brakes', 950),
(13, 16, '2024-05-25', '2024-05-29', 'hydraulics', 420),
(14, 17, '2024-07-29', '2024-07-30', 'annual test', 420),
(15, 17, '2024-08-24', '2024-08-25', 'tyres', 420),
(16, 15, '2024-12-02', NULL, 'hydraulics', 420);
